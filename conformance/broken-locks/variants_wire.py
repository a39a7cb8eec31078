"""Faults on the wire: the client, a console, the MCP server, and a lockfile whose failures read as answers."""
import json
import sys

import client
import console
import locknote
import mcp
import refusals
from actions import ACTIONS
from refusals import EXIT, Refusal
from variants import variant, wrap


@variant("socket", "client-answers-other-major", "DEC-002", "a console of another major is believed")
def any_major():
    client.Connection.hello = lambda self, name: self.ask("hello", {"protocol_major": 1, "client": name})


@variant("socket", "client-hello", "DEC-002", "no hello is said")
def no_hello():
    client.Connection.hello = lambda self, name: None


@variant("socket", "client-own-words", "DEC-016", "the hint of a console is printed")
def hint_believed():
    def ask(self, method, params):
        number, self.next_id = self.next_id, self.next_id + 1
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
        reply = json.loads(self.line())
        if "result" in reply:
            return reply["result"]
        data = reply["error"]["data"]
        refusals.TABLE[data["code"]] = (reply["error"]["code"], reply["error"]["message"], data["hint"], data["retry"])
        raise Refusal(data["code"])

    client.Connection.ask = ask


@variant("socket", "client-own-retry", "DEC-016", "the retry rule of a console is believed")
def retry_believed():
    hint_believed()


@variant("socket", "client-unknown-code", "DEC-016", "a code that is in no table is printed")
def code_believed():
    hint_believed()


@variant("socket", "client-stranger", "DEC-010", "the socket of any account is believed")
def any_account():
    client.os = type("Os", (), {**vars(client.os), "getuid": staticmethod(lambda: 0)})


@variant("socket", "client-terminal", "DEC-015", "what a console sends is printed as it came")
def printed_raw():
    locknote.visible = lambda text: json.loads(text) if text.startswith('"') else json.dumps(json.loads(text), ensure_ascii=False).encode().decode("unicode_escape", "replace")


@variant("socket", "client-huge-answer", "DEC-017", "an answer of any length is waited for")
def endless_answer():
    client.MAX_REPLY = 1 << 40


@variant("socket", "client-other-id", "DEC-001", "any answer is taken for this one")
def any_id():
    def line(old, self):
        reply = json.loads(old(self))
        return json.dumps({**reply, "id": self.next_id - 1})

    wrap(client.Connection, "line", line)


@variant("socket", "client-exit-denied", "DEC-012", "denied ends as refused")
def denied_is_refused():
    EXIT["denied"] = EXIT["refused"]


@variant("socket", "client-lost-midway", "DEC-012", "a lost connection ends with 0")
def lost_is_well():
    EXIT["failed"] = 0


def as_lockfile(change_result, change_exit):
    """locknote under the name of a lockfile, with `answers` only."""
    locknote.LOCK = "lockfile"
    locknote.SOCKETS = "LOCKNOTE_SOCKET_DIR"
    locknote.COMMANDS[("answers",)] = ({"profile": True}, 1)

    def around(old, words, flags, operands):
        if words != ("answers",):
            return old(words, flags, operands)
        root = locknote.policy.project_root("lockfile", ".")
        result = locknote.ask(root, flags["profile"], "answers", {"handle": operands[0]})
        return change_result(result), change_exit(result)

    wrap(locknote, "run", around)


@variant("socket", "client-answer-null", "PLG-041", "plugin_error is printed as 0", facts="lockfile")
def plugin_error_is_zero():
    def change(result):
        return {**result, "answers": [{**one, "result": one["result"] or 0} for one in result["answers"]]}

    as_lockfile(change, lambda result: 0)


@variant("socket", "client-answer-zero", "FIL-050", "the exit tells the answer", facts="lockfile")
def exit_tells_answer():
    as_lockfile(lambda result: result, lambda result: 0 if result["answers"][0]["result"] == 1 else 1)


@variant("socket", "client-answer-null", "DEC-033", "the reason of a null is left out", facts="lockfile")
def null_without_code():
    def change(result):
        return {**result, "answers": [{k: v for k, v in one.items() if k != "code"} for one in result["answers"]]}

    as_lockfile(change, lambda result: 0)


@variant("socket", "hello-first", "DEC-002", "a console serves without hello")
def serves_without_hello():
    def hello(old, self, request):
        return old(self, request) if request["method"] == "hello" else self.answer(request)

    wrap(console.Handler, "hello", hello)


@variant("socket", "hello-uid", "DEC-011", "hello may say who the peer is")
def hello_says_who():
    def hello(old, self, request):
        params = {key: value for key, value in request["params"].items() if key in console.HELLO_KEYS}
        return old(self, {**request, "params": params})

    wrap(console.Handler, "hello", hello)


@variant("socket", "unknown-param", "DEC-003", "an unknown parameter is ignored")
def unknown_param_ignored():
    def around(old, action, params):
        known = ACTIONS[action]["params"]
        return old(action, {k: v for k, v in params.items() if k in known} if isinstance(params, dict) else params)

    wrap(console, "check_params", around)


@variant("socket", "unknown-method", "DEC-006", "an unknown method is repeated")
def method_repeated():
    def answer(old, self, request):
        if request["method"] in ACTIONS:
            return old(self, request)
        data = {"code": "E_BAD_REQUEST", "hint": f"no method {request['method']}", "retry": "rewrite"}
        return self.send({"id": request["id"], "error": {"code": -32601, "message": "no", "data": data}})

    wrap(console.Handler, "answer", answer)


@variant("socket", "no-method-loosens", "DEC-004", "there is a method that approves")
def approve_method():
    def answer(old, self, request):
        return self.send({"id": request["id"], "result": {}}) if request["method"] == "approve" else old(self, request)

    wrap(console.Handler, "answer", answer)


@variant("socket", "batch", "DEC-001", "what is in a batch is served")
def batch_served():
    def around(old, line):
        message = old(line)
        value = json.loads(line) if message == -32700 else None
        return old(json.dumps(value[0]).encode()) if isinstance(value, list) and value else message

    wrap(console, "parse", around)


@variant("socket", "line-over-limit", "DEC-001", "a request of any length is read")
def endless_request():
    console.MAX_REQUEST = 1 << 30


@variant("socket", "crowd", "DEC-013", "one account may take every connection")
def no_crowd_limit():
    console.MAX_CONNECTIONS = 10_000


@variant("socket", "flood", "DEC-014", "one account may ask as fast as it can")
def no_rate_limit():
    console.MAX_REQUESTS_A_SECOND = 10_000


@variant("socket", "socket-file", "DEC-009", "any account may connect")
def open_socket():
    console.os = type("Os", (), {**vars(console.os), "umask": staticmethod(lambda mask: locknote.os.umask(0))})


@variant("socket", "status", "DEC-032", "status does not tell the desktop level")
def status_without_level():
    wrap(console, "status", lambda old, profile: {k: v for k, v in old(profile).items() if k != "desktop_level"})


@variant("mcp", "initialize", "DEC-048", "a log line on standard output")
def mcp_logs():
    def around(old, *args):
        print("starting", flush=True)
        return old(*args)

    wrap(mcp, "serve", around)


@variant("mcp", "ends-with-stdin", "DEC-048", "the server stays when its client is gone")
def mcp_stays():
    def around(old, *args):
        old(*args)
        while True:
            locknote.os.read(sys.stdin.fileno(), 1) or __import__("time").sleep(1)

    wrap(mcp, "serve", around)


@variant("mcp", "broken-line", "DEC-049", "a broken line ends the session")
def mcp_dies():
    wrap(mcp, "answer_line", lambda old, line, *rest: json.loads(line) and old(line, *rest))


@variant("mcp", "tool-schemas", "DEC-040", "a schema holds references")
def schema_refs():
    def around(old, lock):
        rows = old(lock)
        rows[0]["inputSchema"]["$defs"] = {"name": {"type": "string"}}
        return rows

    wrap(mcp, "tools", around)


@variant("mcp", "tool-properties", "DEC-040", "a property has no type")
def untyped_property():
    def around(old, lock):
        rows = old(lock)
        rows[0]["inputSchema"]["properties"] = {**rows[0]["inputSchema"]["properties"], "profile": {"description": "which"}}
        return rows

    wrap(mcp, "tools", around)


@variant("mcp", "no-tool-loosens", "DEC-004", "there is a tool that approves")
def approve_tool():
    ACTIONS["approve"] = {"params": {}, "required": [], "description": "Approves what waits for the human."}


@variant("mcp", "call-unknown-argument", "DEC-041", "an unknown argument is ignored")
def unknown_argument_ignored():
    def around(old, action, params):
        known = ACTIONS[action]["params"]
        return old(action, {k: v for k, v in params.items() if k in known})

    wrap(mcp, "check_params", around)


@variant("mcp", "call-unknown-tool", "DEC-006", "an unknown tool is repeated")
def tool_repeated():
    def around(old, lock, name, arguments, ask):
        result = old(lock, name, arguments, ask)
        return mcp.content({"error": f"no tool {name}"}, True) if result is None else result

    wrap(mcp, "call_tool", around)


@variant("mcp", "batch", "DEC-046", "what is in a batch is served")
def mcp_batch_served():
    def around(old, line, *rest):
        value = json.loads(line) if line.startswith(b"[{") else None
        return old(json.dumps(value[0]).encode() if value else line, *rest)

    wrap(mcp, "answer_line", around)


@variant("mcp", "call-result", "DEC-043", "a result has no structure")
def result_without_structure():
    wrap(mcp, "content", lambda old, *args: {k: v for k, v in old(*args).items() if k != "structuredContent"})


@variant("mcp", "call-console-lies", "DEC-016", "whatever a console sends is a result")
def any_result():
    mcp.check_result = lambda action, result: True


@variant("mcp", "call-no-console", "DEC-047", "a call without a console is an empty result")
def empty_result():
    def around(old, lock, name, arguments, ask):
        result = old(lock, name, arguments, ask)
        return mcp.content({}) if result and result["isError"] else result

    wrap(mcp, "call_tool", around)
