"""Starts the program of the installation that this file lies in, with the libraries built for this Python."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"


def main() -> int:
    """Run `companion`."""
    if not (HERE / PYTHON).is_dir():
        built = ", ".join(sorted(path.name for path in HERE.glob("python*")))
        sys.stderr.write(
            f"companion: this package is built for {built}, and the system has {PYTHON}: "
            "install the package for this release\n"
        )
        return 1
    sys.path.insert(0, str(HERE / PYTHON))
    from companion.cli.main import main as companion  # noqa: PLC0415 - not there before the line above

    return companion()


if __name__ == "__main__":
    sys.exit(main())
