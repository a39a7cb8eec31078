#!/usr/bin/env python3
"""locknote: a lock that has nothing in common with the others but docs/verbs.md and the wire. Standard library only.
It exists to show that the suites hold any lock, in any language, and not one code base."""
import json
import os
import sys

import client
import console
import mcp
import policy
import wiring
from doctor import doctor
from refusals import EXIT, Refusal, exit_of, usage, visible

LOCK = "locknote"
VERSION = "0.1.0"
SOCKETS = "LOCKNOTE_SOCKET_DIR"

# A command's words, its flags (True: takes a value), how many operands it takes.
COMMANDS = {
    ("version",): ({}, 0),
    ("profile", "add"): (
        {"profile": True, "folder": True, "credentials": True, "vault-path": True, "production": False, "non-interactive": False},
        0,
    ),
    ("init",): ({}, 99),
    ("doctor",): ({"fix": False, "yes": False}, 0),
    ("status",): ({"profile": True, "instance": True}, 0),
    ("read",): ({"profile": True, "instance": True}, 1),
    ("mcp",): ({}, 0),
    ("console",): ({"profile": True, "socket": True}, 0),
}
HELP = "\n".join(
    f"{LOCK} {' '.join(words)} {' '.join('--' + flag for flag in flags)}".strip() for words, (flags, _) in COMMANDS.items()
)


def find_command(argv):
    for length in (2, 1):
        if tuple(argv[:length]) in COMMANDS:
            return tuple(argv[:length])
    raise usage(f"no such command: {LOCK} --help lists them")


def parse_argv(argv):
    """(words, flags, operands). Nothing that was typed enters an error."""
    words = find_command(argv)
    known, operands_max = COMMANDS[words]
    flags, operands, rest = {}, [], list(argv[len(words) :])
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            operands.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        takes = {**known, "json": False, "help": False}.get(name)
        if takes is None:
            raise usage("a flag that this command does not have")
        if name in flags:
            raise usage(f"--{name} is given twice")
        if takes and not equals:
            if not rest:
                raise usage(f"--{name} needs a value")
            value = rest.pop(0)
        if not takes and equals:
            raise usage(f"--{name} takes no value")
        flags[name] = value if takes else True
    if len(operands) > operands_max:
        raise usage("an argument that this command does not take")
    return words, flags, operands


def choice(flags):
    for key in ("profile", "instance"):
        if key in flags and not policy.is_name(flags[key]):
            raise usage(f"--{key} takes a name")
    return flags.get("profile")


def run_profile_add(root, flags):
    if "profile" not in flags:
        raise usage("profile add needs --profile NAME")
    values = {key: flags[flag] for key, flag in (("folder", "folder"), ("credentials", "credentials"), ("vault_path", "vault-path")) if flag in flags}
    if flags.get("production"):
        values["production"] = True
    return policy.add(root, LOCK, flags["profile"], values), EXIT["ok"]


def run_init(root, operands):
    result = wiring.init(root, LOCK, operands)
    return result, EXIT["ok"] if result["ok"] else EXIT["failed"]


def run_doctor(root, flags):
    if flags.get("fix") and not flags.get("yes"):
        raise usage("doctor --fix asks: use a terminal, or --yes")
    result = doctor(root, LOCK, flags.get("fix", False))
    return result, EXIT["ok"] if result["ok"] else EXIT["failed"]


def user_config():
    return os.path.join(os.environ.get("HOME", "/"), ".config", LOCK, "config.toml")


def names(root):
    own = list(policy.load(policy.config_path(root, LOCK))[1])
    return own + [name for name in policy.load(user_config())[1] if name not in own]


def ask(root, profile, method, params):
    folder = os.environ.get(SOCKETS, f"/run/{LOCK}")
    return client.call(folder, root, profile, f"{LOCK} {VERSION}", method, params)


def run_status(root, profile):
    rows = []
    for name in [profile] if profile else names(root):
        try:
            rows.append({**ask(root, name, "status", {}), "profile": name, "console": "running"})
        except Refusal as refusal:
            if refusal.code != "E_NO_CONSOLE":
                raise
            rows.append({"profile": name, "console": "none"})
    return {"lock": LOCK, "version": VERSION, "profiles": rows}, EXIT["ok"]


def one_profile(root, profile):
    known = [profile] if profile else names(root)
    if len(known) != 1:
        raise Refusal("E_NO_CONSOLE") if not known else usage("several profiles: choose one with --profile")
    return known[0]


def run_mcp(root):
    def asked(action, params, profile):
        if action == "status":
            return run_status(root, profile)[0]
        return ask(root, one_profile(root, profile), action, params)

    return mcp.serve(LOCK, VERSION, asked)


def run(words, flags, operands):
    """(value to print, exit)."""
    if words == ("version",):
        return {"name": LOCK, "version": VERSION, "protocol_major": 1}, EXIT["ok"]
    root = policy.project_root(LOCK, os.getcwd())
    if words == ("profile", "add"):
        return run_profile_add(root, flags)
    if words == ("init",):
        return run_init(root, operands)
    if words == ("doctor",):
        return run_doctor(root, flags)
    profile = choice(flags)
    if words == ("status",):
        return run_status(root, profile)
    if not operands:
        raise usage("read needs NOTE")
    return ask(root, one_profile(root, profile), "read", {"note": operands[0]}), EXIT["ok"]


def show(value, as_json):
    if as_json:
        print(json.dumps(value))
    else:
        for key, item in value.items():
            print(f"{key}: {visible(json.dumps(item))}")


def fail(refusal, as_json):
    if as_json:
        print(json.dumps(refusal.as_json()))
    else:
        print(f"{LOCK}: {refusal.as_json()['error']['meaning']}", file=sys.stderr)
    return exit_of(refusal.code)


def main(argv):
    as_json = "--json" in argv
    try:
        if argv[:1] == ["--help"]:
            print(HELP)
            return EXIT["ok"]
        words, flags, operands = parse_argv(argv)
        if flags.get("help"):
            print(next(line for line in HELP.split("\n") if line.startswith(f"{LOCK} {' '.join(words)}")))
            return EXIT["ok"]
        if words == ("mcp",):
            return run_mcp(policy.project_root(LOCK, os.getcwd()))
        if words == ("console",):
            return console.serve(flags["socket"], LOCK, VERSION, flags["profile"])
        value, code = run(words, flags, operands)
    except Refusal as refusal:
        return fail(refusal, as_json)
    except OSError:
        return fail(Refusal("E_INTERNAL"), as_json)
    show(value, as_json)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
