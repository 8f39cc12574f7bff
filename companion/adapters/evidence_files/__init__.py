"""The evidence of races on disk: a file each beside the journal, named by the SHA-256 of its bytes.

`writer` is the box's side (the `EvidenceStore` port), `reader` what the command line and the pages read. Which files
may be deleted is not decided here. Knows no game and no other adapter.
"""

from companion.adapters.evidence_files.reader import evidence_folder, find_evidence, path_of, stored_evidence
from companion.adapters.evidence_files.writer import EvidenceFiles

__all__ = ["EvidenceFiles", "evidence_folder", "find_evidence", "path_of", "stored_evidence"]
