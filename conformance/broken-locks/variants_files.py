"""Faults in how files are read, added to and replaced: by profile add and by init."""
import contextlib
import json
import os
import re
import time
import tomllib

import files
import policy
import wiring
from refusals import Refusal
from variants import variant, wrap


def plain_write(path, data, mode=0o644):
    with open(path, "wb") as file:
        file.write(data)


def plain_read(path, what):
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
        return file.read()
    return None


@variant("verbs", "profile-add-exists-other-target", "VRB-011", "a profile that exists is written anew")
def profile_overwritten():
    def add(root, lock, name, values):
        policy.check_profile(name, values)
        path = policy.config_path(root, lock)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data, profiles = policy.load(path)
        kept = "".join(policy.encode(one, table) for one, table in {**profiles, name: values}.items())
        policy.replace(path, kept.encode())
        return {"name": name, "status": "exists" if name in profiles else "created", "path": path}

    policy.add = add


@variant("verbs", "profile-add-exists", "VRB-011", "a profile that exists is written again, byte for byte")
def file_touched():
    def around(old, root, lock, name, values):
        value = old(root, lock, name, values)
        data, _ = policy.load(value["path"])
        policy.replace(value["path"], data)
        return value

    wrap(policy, "add", around)


@variant("verbs", "profile-add-exists", "VRB-011", "a profile that exists is an error")
def exists_is_error():
    def around(old, *args):
        value = old(*args)
        if value["status"] == "exists":
            raise Refusal("E_USAGE", "it exists")
        return value

    wrap(policy, "add", around)


@variant("verbs", "profile-add-comments", "VRB-015", "the file is written anew from what was read: comments are lost")
def comments_lost():
    def appended(data, block):
        profiles = tomllib.loads(data.decode()).get("profiles", {})
        return "".join([*(policy.encode(name, table) for name, table in profiles.items()), block]).encode()

    policy.appended = appended


@variant("verbs", "profile-add-crlf", "VRB-016", "new lines have other line ends than the file")
def line_ends_mixed():
    policy.appended = lambda data, block: data + b"\n" * bool(data) + block.encode()


@variant("verbs", "profile-add-no-last-newline", "VRB-016", "the new table is glued to the last line")
def last_line_glued():
    policy.appended = lambda data, block: data + block.encode()
    policy.parse = lambda data: dict.fromkeys(re.findall(rb"\[profiles\.(\w+)\]", data)) and {"web": {}}


@variant("verbs", "profile-add-name-climb", "VRB-017", "any name is a name")
def any_name():
    policy.is_name = lambda name: True
    wrap(policy, "encode", lambda old, name, values: old(json.dumps(name), values))


@variant("verbs", "profile-add-name-trailing-newline", "VRB-017", "a name may end with a line end")
def name_with_newline():
    policy.NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}$")
    wrap(policy, "encode", lambda old, name, values: old(name.strip(), values))
    wrap(policy, "add", lambda old, root, lock, name, values: old(root, lock, name.strip() if policy.NAME.match(name) else name, values))


@variant("verbs", "profile-add-name-case", "VRB-017", "names that differ in case only are two profiles")
def case_matters_not():
    policy.len = lambda value: 0 if isinstance(value, set) else 0 if isinstance(value, dict) else value.__len__()


@variant("verbs", "profile-add-others-at-once", "VRB-019", "nobody holds the file while it is edited")
def no_lock():
    @contextlib.contextmanager
    def held(folder):
        yield

    def around(old, path, data, mode=0o644):
        time.sleep(0.5)
        old(path, data, mode)

    policy.held = held
    wrap(policy, "replace", around)


@variant("verbs", "profile-add-disk-full", "VRB-020", "the file is cut before it is written")
def cut_in_place():
    policy.replace = plain_write


@variant("verbs", "profile-add-left-nothing", "VRB-020", "a temporary file stays behind")
def rubbish_left():
    def around(old, path, data, mode=0o644):
        old(path, data, mode)
        plain_write(f"{path}.tmp", data)

    wrap(policy, "replace", around)


@variant("verbs", "profile-add-file-is-link", "VRB-021", "a policy file that is a link is followed")
def file_link_followed():
    policy.refuse_odd = lambda path, what: os.stat(path) if os.path.exists(path) else None
    policy.read_bytes = plain_read
    policy.replace = plain_write


@variant("verbs", "profile-add-folder-is-link", "VRB-021", "a policy folder that is a link is followed")
def folder_link_followed():
    wrap(policy, "refuse_odd", lambda old, path, what: os.stat(path) if what.endswith("folder") and os.path.exists(path) else old(path, what))

    @contextlib.contextmanager
    def held(folder):
        yield

    policy.held = held


@variant("verbs", "profile-add-file-is-fifo", "VRB-021", "a FIFO is opened and waited for")
def fifo_waited_for():
    policy.refuse_odd = lambda path, what: os.stat(path) if os.path.exists(path) else None
    policy.read_bytes = plain_read


@variant("verbs", "profile-add-unknown-key", "VRB-022", "an unknown key is ignored")
def unknown_key_ignored():
    wrap(policy, "check_profile", lambda old, name, values: old(name, {k: v for k, v in values.items() if k in policy.KEYS}))


@variant("verbs", "profile-add-unparsable", "VRB-022", "a file that does not parse is replaced")
def broken_file_replaced():
    def around(old, data):
        try:
            return old(data)
        except Refusal:
            return {}

    wrap(policy, "parse", around)
    policy.appended = lambda data, block: block.encode()
    wrap(policy, "add", lambda old, root, lock, name, values: keys_fixed(old, root, lock, name, values))


def keys_fixed(old, *args):
    return old(*args)


@variant("verbs", "profile-add-unparsable", "VRB-062", "the line that does not parse is repeated")
def broken_line_repeated():
    def around(old, data):
        try:
            return old(data)
        except Refusal as refusal:
            raise Refusal("E_USAGE", f"{refusal.detail}: {data.decode()}")

    wrap(policy, "parse", around)


@variant("verbs", "profile-add-secret-in-file", "SSH-002", "a password in the policy is taken")
def password_in_file():
    policy.KEYS["password"] = str


@variant("verbs", "profile-add-file-open-to-all", "VRB-023", "a policy that others can write is taken")
def open_file_taken():
    policy.refuse_odd = lambda path, what: os.lstat(path) if os.path.lexists(path) else None


@variant("verbs", "profile-add-created", "VRB-010", "the policy is made for everybody to write")
def written_open():
    wrap(policy, "replace", lambda old, path, data, mode=0o644: old(path, data, 0o666))


@variant("verbs", "profile-add-created", "VRB-010", "created is said, nothing is written")
def nothing_written():
    policy.replace = lambda path, data, mode=0o644: None


@variant("verbs", "init-claude-others-kept", "VRB-034", "the agent's file is written anew")
def agent_file_overwritten():
    wiring.edit_json = lambda text, name, entry: json.dumps({"mcpServers": {name: entry}})


@variant("verbs", "init-claude-comments-never-lost", "VRB-034", "comments of the agent's file are lost")
def agent_comments_lost():
    wrap(wiring, "edit_json", lambda old, text, name, entry: old(" ".join(token for token, _ in wiring.tokens(text)), name, entry))


@variant("verbs", "init-claude-comments-merged", "VRB-039", "a file with comments is refused")
def comments_refused():
    def around(old, text, name, entry):
        json.loads(text)
        return old(text, name, entry)

    wrap(wiring, "edit_json", around)


@variant("verbs", "init-claude-kept", "VRB-032", "an entry of the same name is replaced")
def entry_replaced():
    def around(old, text, name, entry):
        try:
            return old(text, name, entry)
        except KeyError:
            value = json.loads(text)
            value["mcpServers"][name] = entry
            return json.dumps(value)

    wrap(wiring, "edit_json", around)


@variant("verbs", "init-codex-twice", "VRB-031", "a second run writes again")
def second_run_writes():
    def around(old, text, name, entry):
        new = old(text, name, entry)
        return text + "\n" if new is None else new

    wrap(wiring, "edit_toml", around)


@variant("verbs", "init-several-one-bad", "VRB-033", "the first agent is wired before the second is looked at")
def written_one_by_one():
    def around(old, root, name, agents):
        results = [old(root, name, [agent]) for agent in agents]
        rows = [row for one in results for row in one["files"]]
        return wiring.result(all(one["ok"] for one in results), agents, rows)

    wrap(wiring, "init", around)


@variant("verbs", "init-cursor-unparsable", "VRB-033", "a file that does not parse is replaced")
def broken_agent_file_replaced():
    def around(old, text, name, entry):
        try:
            return old(text, name, entry)
        except ValueError:
            return old("{}", name, entry)

    wrap(wiring, "edit_json", around)


@variant("verbs", "init-claude-unparsable", "VRB-067", "what could not be written ends with 0")
def init_always_well():
    import locknote

    wrap(locknote, "run_init", lambda old, *args: (old(*args)[0], 0))


@variant("verbs", "init-cursor-folder-link", "VRB-035", "a folder that is a link out of the project is followed")
def agent_folder_link_followed():
    wiring.inside = lambda root, relative: os.path.join(root, relative)


@variant("verbs", "init-dangling-link", "VRB-035", "a file is made through a link to nothing")
def dangling_link_followed():
    wiring.inside = lambda root, relative: os.path.join(root, relative)
    wiring.read_bytes = plain_read
    wiring.replace = plain_write


@variant("verbs", "init-detects", "VRB-036", "every agent is wired, whether it is in use or not")
def wires_all():
    wiring.detect = lambda root: list(wiring.PLACES)


@variant("verbs", "init-disk-full", "VRB-033", "an agent's file is cut before it is written")
def agent_file_cut():
    wiring.replace = plain_write
