"""Documents in files: readers and writers, each format in a file of its own.

inputs      open_inputs: paths to one format; the two passes
paths       files, folders, globs, standard input; formats by suffix
streams     bytes: spooling, compression, lines, errors
encodings   what a file is encoded in, and lines as UTF-8
jsonl, tables, parquet, text, folder    the formats
outputs     files that appear whole or not at all; tables as side outputs
"""

from neardup.documents.base import BadRow, Batch, Fields, Rows, Writer
from neardup.documents.inputs import Inputs, open_inputs
from neardup.documents.outputs import AtomicFile, TableWriter

__all__ = [
    "AtomicFile",
    "BadRow",
    "Batch",
    "Fields",
    "Inputs",
    "Rows",
    "TableWriter",
    "Writer",
    "open_inputs",
]
