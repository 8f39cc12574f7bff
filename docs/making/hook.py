"""What MkDocs calls while it builds: it puts into the site what `pages` says. Nothing is fetched, nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

from docs.making import pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add the pictures that the pages show to what the site consists of. Raises PluginError for one that is missing."""
    wanted: set[str] = set()
    for file in files.documentation_pages():
        wanted |= pages.pictures(file.src_uri, file.content_string)
    for path in sorted(wanted):
        source = pages.ROOT / path
        if not source.is_file():
            raise PluginError(f"a page shows {path}, which is not in the repository")
        files.append(File.generated(config, f"{pages.PICTURES}/{path}", abs_src_path=str(source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Take in what a page asks for. Raises PluginError for what is not there."""
    try:
        return pages.expand(page.file.src_uri, markdown)
    except LookupError as error:
        raise PluginError(str(error)) from error
