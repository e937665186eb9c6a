"""Has anything that is installed here a known vulnerability? `python -m tests.audit`

Asks the advisory database that pip-audit knows. Where that cannot be reached, nothing is known:
that is said and is no failure.
"""

from __future__ import annotations

import json
import subprocess
import sys

_ASK = ("-m", "pip_audit", "--format", "json", "--progress-spinner", "off")


def main() -> int:
    answer = subprocess.run([sys.executable, *_ASK], capture_output=True, text=True, check=False)
    if not answer.stdout.startswith("{"):
        print(f"Not checked: the advisory database cannot be asked.\n{answer.stderr[-500:]}")
        return 0
    asked = json.loads(answer.stdout)["dependencies"]
    known = [one for one in asked if "skip_reason" not in one]
    for one in known:
        for found in one["vulns"]:
            fixed = ", ".join(found["fix_versions"]) or "nothing yet"
            print(f"{one['name']} {one['version']}: {found['id']}, fixed in {fixed}")
    print(f"{len(known)} of {len(asked)} installed packages are known to the advisory database.")
    return int(any(one["vulns"] for one in known))


if __name__ == "__main__":
    sys.exit(main())
