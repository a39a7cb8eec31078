"""`init`: the lock's MCP server in the files of coding agents. All is computed first; one bad file, and none is written."""
import json
import os
import re
import tomllib

from files import inside, read_bytes, replace
from refusals import Refusal, usage

PLACES = {
    "claude": (".mcp.json", "json"),
    "codex": (".codex/config.toml", "toml"),
    "cursor": (".cursor/mcp.json", "json"),
    "gemini": (".gemini/settings.json", "json"),
}
MARKS = {"claude": ".claude", "codex": ".codex", "cursor": ".cursor", "gemini": ".gemini"}
TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"/]+', re.S)


def tokens(text):
    """(text, start) of everything but blanks and comments; raises ValueError where there is something else."""
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError
        if not match[0].isspace() and not match[0].startswith(("//", "/*")):
            found.append((match[0], at))
        at = match.end()
    return found


def edit_json(text, name, entry):
    """The new text; None: the entry is there and the same; ValueError: it cannot be edited. KeyError: it differs."""
    found = tokens(text)
    plain = re.sub(r",(\s*[}\]])", r"\1", " ".join(token for token, _ in found))
    value = json.loads(plain)
    if not isinstance(value, dict) or not isinstance(value.get("mcpServers", {}), dict):
        raise ValueError
    servers = value.get("mcpServers")
    if servers is not None and name in servers:
        if servers[name] == entry:
            return None
        raise KeyError
    member = f'"{name}": {json.dumps(entry)}'
    if servers is None:
        return insert(text, found[0][1], f'"mcpServers": {{ {member} }}', bool(value))
    depth = 0
    for (token, start), (colon, _), (brace, where) in zip(found, found[1:], found[2:]):
        depth += (token in "{[") - (token in "}]")
        if depth == 1 and token == '"mcpServers"' and colon == ":" and brace == "{":
            return insert(text, where, member, bool(servers))
    raise ValueError


def insert(text, brace, member, more):
    """As the first member, so that no comment behind another one moves."""
    return f"{text[:brace + 1]}\n  {member}{',' if more else ''}{text[brace + 1:]}"


def edit_toml(text, name, entry):
    servers = tomllib.loads(text).get("mcp_servers", {})
    if not isinstance(servers, dict) or re.search(r"^\s*mcp_servers\s*=", text, re.M):
        raise ValueError
    if name in servers:
        if servers[name] == entry:
            return None
        raise KeyError
    end = "\r\n" if "\r\n" in text else "\n"
    block = [f"[mcp_servers.{name}]", f'command = "{entry["command"]}"', f"args = {json.dumps(entry['args'])}", ""]
    gap = "" if text == "" else end if text.endswith("\n") else end * 2
    return text + gap + end.join(block)


def plan(root, agent, name):
    relative, form = PLACES[agent]
    row = {"agent": agent, "path": relative, "purpose": "mcp"}
    entry = {"command": name, "args": ["mcp"]}
    path = inside(root, relative)
    if path is None:
        return {**row, "status": "refused", "reason": "reached through a link"}, None
    try:
        data = read_bytes(path, relative)
        text = (data or b"").decode("utf-8")
        if form == "json":
            new = edit_json(text if text.strip() else "{}", name, entry)
        else:
            new = edit_toml(text, name, entry)
    except KeyError:
        return {**row, "status": "kept"}, None
    except (ValueError, RecursionError, Refusal):
        return {**row, "status": "refused", "reason": "it does not parse, or is no file that can be edited"}, None
    if new is None:
        return {**row, "status": "unchanged"}, None
    return {**row, "status": "updated" if data is not None else "created"}, (path, data, new.encode())


def detect(root):
    return [agent for agent, mark in MARKS.items() if os.path.lexists(os.path.join(root, mark))]


def init(root, name, agents):
    if not all(agent in PLACES for agent in agents):
        raise usage("init takes claude, codex, cursor and gemini")
    agents = list(dict.fromkeys(agents or detect(root)))
    if not agents:
        raise usage("no agent is in use here: name one")
    planned = [plan(root, agent, name) for agent in agents]
    rows = [row for row, _ in planned]
    if any(row["status"] == "refused" for row in rows):
        return result(False, agents, [skipped(row) for row in rows])
    failed = write_all([edit for _, edit in planned if edit])
    if failed is None:
        return result(True, agents, rows)
    late = [{**skipped(row), "status": "failed"} if failed.endswith(row["path"]) else skipped(row) for row in rows]
    return result(False, agents, late)


def write_all(edits):
    """None, or the path that could not be written; then the earlier ones are as they were."""
    done = []
    for path, before, new in edits:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            mode = os.stat(path).st_mode & 0o777 if before is not None else 0o644
            replace(path, new, mode)
        except (OSError, Refusal):
            for earlier, old in done:
                os.unlink(earlier) if old is None else replace(earlier, old)
            return path
        done.append((path, before))
    return None


def skipped(row):
    return {**row, "status": "skipped"} if row["status"] in ("created", "updated") else row


def result(ok, agents, rows):
    return {"ok": ok, "agents": agents, "files": rows, "notes": []}
