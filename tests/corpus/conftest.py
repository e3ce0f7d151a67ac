"""The judges are scripts that also run without pytest, so their folder has to be on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
