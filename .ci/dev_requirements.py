"""Print the requirements of the extra `dev`, for pip."""

import re
from pathlib import Path

text = Path(__file__).parent.parent.joinpath("pyproject.toml").read_text()
block = re.search(r"^dev = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
assert block is not None
print(*re.findall(r'"([^"]+)"', block.group(1)))
