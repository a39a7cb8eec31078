#!/usr/bin/env python3
"""Locks that are broken in one way each: `broken.py VARIANT ARG…` is locknote with one fault, `broken.py --list` tells the
faults as JSON: {variant, suite, case, requirement, about, facts}. The suite must fail each of them in that case."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second-lock"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from variants import VARIANTS  # noqa: E402
import variants_files  # noqa: E402,F401
import variants_verbs  # noqa: E402,F401
import variants_wire  # noqa: E402,F401


def main(argv):
    if argv[:1] == ["--list"]:
        print(json.dumps([row for row, _ in VARIANTS.values()], indent=2))
        return 0
    _row, breaks = VARIANTS[argv[0]]
    breaks()
    import locknote

    return locknote.main(argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
