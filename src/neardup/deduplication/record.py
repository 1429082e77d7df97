"""The run record: everything needed to do a run again, and to know what it did."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from typing import Any

import orjson

from neardup.documents import Inputs

#: Version of the record's layout.
RECORD_VERSION = 1


def run_record(inputs: Inputs, summary: dict[str, Any], options: dict[str, Any]) -> bytes:
    """The record as JSON; `neardup dedup --config RECORD` does the run again.

    Args:
        inputs: The inputs, which are read once more for their digests.
        summary: What was done.
        options: The options as the caller knows them: name to value and source.
    """
    record = {
        "neardup_run": RECORD_VERSION,
        "neardup": version("neardup"),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in ("numpy", "orjson", "pyarrow")},
        "profile": summary["profile"],
        "profile_id": summary["profile_id"],
        "options": options,
        "inputs": [
            {
                "file": file,
                "encoding": inputs.encodings.get(file),
                "sha256": _sha256(file),
            }
            for file in inputs.files
        ],
        "summary": summary,
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _sha256(file: str) -> str | None:
    """None for what can't be read again, such as standard input."""
    digest = hashlib.sha256()
    try:
        with open(file, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()
