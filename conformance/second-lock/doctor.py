"""`doctor`: looks at the project's policy and at the agents' files; --fix closes what others may write."""
import os
import stat

import policy
from refusals import Refusal
from wiring import PLACES


def open_paths(paths):
    """Files and folders (never links) that others than their owner can write."""
    found = []
    for path in paths:
        try:
            info = os.lstat(path)
        except OSError:
            continue
        if not stat.S_ISLNK(info.st_mode) and info.st_mode & 0o022:
            found.append((path, info.st_mode & 0o7777))
    return found


def check_folder(path, fix):
    opened = open_paths([os.path.dirname(path), path])
    if not opened:
        return {"id": "project_folder", "state": "ok", "detail": "only its owner can write the policy"}
    names = " ".join(found for found, _ in opened)
    if fix:
        for found, mode in opened:
            os.chmod(found, mode & ~0o022)
        return {"id": "project_folder", "state": "ok", "detail": "closed", "fixed": f"chmod go-w {names}"}
    return {"id": "project_folder", "state": "fail", "detail": f"others can write {names}", "fix": f"chmod go-w {names}"}


def check_config(path):
    try:
        _data, profiles = policy.load(path)
    except Refusal as refusal:
        return {"id": "config", "state": "fail", "detail": f"config.toml: {refusal.detail}", "fix": "mend the file by hand"}
    if not profiles:
        return {"id": "config", "state": "warn", "detail": "no profile", "fix": "locknote profile add"}
    return {"id": "config", "state": "ok", "detail": f"{len(profiles)} profiles"}


def check_wiring(root):
    if any(os.path.lexists(os.path.join(root, place)) for place, _form in PLACES.values()):
        return {"id": "wiring", "state": "ok", "detail": "an agent's file is there"}
    return {"id": "wiring", "state": "warn", "detail": "no agent is wired", "fix": "locknote init"}


def doctor(root, lock, fix):
    path = policy.config_path(root, lock)
    checks = [check_folder(path, fix), check_config(path), check_wiring(root)]
    return {"ok": not any(check["state"] == "fail" for check in checks), "checks": checks}
