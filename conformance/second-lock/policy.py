"""The policy file of a project: profiles that are read strictly and only ever added to."""
import contextlib
import fcntl
import os
import re
import tomllib

from files import read_bytes, refuse_odd, replace
from refusals import Refusal, usage

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}\Z")
ANSWERS = {"y", "n", "yes", "no", "continue"}
INHERITED = {"__proto__", "constructor", "prototype", "tostring", "hasownproperty", "valueof"}
SECRET = re.compile(r"-----BEGIN|(?i:pass(word|phrase)?|secret|token)\s*[=:]")
KEYS = {"folder": str, "production": bool, "credentials": str, "vault_path": str}


def project_root(lock, start):
    """The nearest folder upwards that holds .<lock>, else where it was started."""
    first = folder = os.path.realpath(start)
    while not os.path.isdir(os.path.join(folder, f".{lock}")):
        if os.path.dirname(folder) == folder:
            return first
        folder = os.path.dirname(folder)
    return folder


def is_name(name):
    return bool(NAME.match(name)) and name.lower() not in ANSWERS | INHERITED


def check_profile(name, values):
    """Raises with the name of the key, never with its value."""
    if not is_name(name):
        raise usage("a profile's name is 1 to 63 of letters, digits, _ and -, and no word of an answer")
    if not isinstance(values, dict):
        raise usage("a profile is a table")
    for key, value in values.items():
        if key not in KEYS:
            raise usage(f"unknown key: {key}" if re.fullmatch(r"[a-z_]{1,30}", key) else "an unknown key")
        if type(value) is not KEYS[key] or (isinstance(value, str) and SECRET.search(value)):
            raise usage(f"{key} is not as it must be; a secret is never written here")
    if not re.fullmatch(r"/[!-~]{0,200}", values.get("folder", "")):
        raise usage("folder is an absolute path")
    if values.get("credentials", "none") not in ("none", "ask", "vault"):
        raise usage("credentials is none, ask or vault")


def parse(data):
    """The profiles of a file, all of them checked."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        raise usage("config.toml does not parse")
    if set(table) - {"profiles"}:
        raise usage("config.toml holds a table that is not known")
    profiles = table.get("profiles", {})
    if not isinstance(profiles, dict):
        raise usage("profiles is a table")
    for name, values in profiles.items():
        check_profile(name, values)
    if len({name.lower() for name in profiles}) < len(profiles):
        raise usage("two profiles differ in case only")
    return profiles


def config_path(root, lock):
    return os.path.join(root, f".{lock}", "config.toml")


def load(path):
    """Guarded reading; an absent file has no profiles."""
    if refuse_odd(os.path.dirname(path), "the policy's folder") is None:
        return b"", {}
    if refuse_odd(path, "config.toml") is None:
        return b"", {}
    data = read_bytes(path, "config.toml")
    return data, parse(data)


@contextlib.contextmanager
def held(folder):
    """One writer at a time; the kernel lets go when the process ends."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def encode(name, values):
    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

    return f"[profiles.{name}]\n" + "".join(f"{key} = {text(value)}\n" for key, value in values.items())


def appended(data, block):
    """The text with the block behind it, in the line ends of the text."""
    end = "\r\n" if b"\r\n" in data else "\n"
    gap = "" if not data else end if data.endswith(b"\n") else end + end
    return data + (gap + block.replace("\n", end)).encode()


def add(root, lock, name, values):
    check_profile(name, values)
    path = config_path(root, lock)
    folder = os.path.dirname(path)
    load(path)
    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o755, exist_ok=True)
        with held(folder):
            data, profiles = load(path)
            if name in profiles:
                return {"name": name, "status": "exists", "path": path}
            new = appended(data, encode(name, values))
            if parse(new).keys() != {*profiles, name}:
                raise Refusal("E_INTERNAL")
            mode = os.stat(path).st_mode & 0o755 if data else 0o644
            replace(path, new, mode)
    except OSError:
        raise Refusal("E_INTERNAL", "the policy could not be written")
    return {"name": name, "status": "created", "path": path}
