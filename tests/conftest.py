"""Settings and fixtures of all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can say `from helpers import run`

from helpers import EXAMPLES, read_jsonl

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("thorough", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def poems():
    """The rows of the sample."""
    return read_jsonl(EXAMPLES / "poems.jsonl")
