"""Where the real data lies beside the project; tests that read it are marked `realdata`."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
SITES = SHARED / "sites"
CORPORA = SHARED / "corpora"
PAPERS = SHARED / "papers"
