"""Print the requirements of one extra of pyproject.toml, for pip: ``requirements.py dev``."""

import re
import sys
from pathlib import Path

text = Path(__file__).parent.parent.joinpath("pyproject.toml").read_text()
block = re.search(rf"^{sys.argv[1]} = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
assert block is not None
print(*re.findall(r'"([^"]+)"', block.group(1)))
