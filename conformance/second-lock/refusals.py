"""The codes of locknote, each with its number, meaning, hint and retry rule. Nothing of a request enters a refusal."""

TABLE = {
    "E_USAGE": (-32001, "the command line or a file is not as it must be", "see locknote --help", "rewrite"),
    "E_NO_CONSOLE": (-32005, "no console runs for this profile", "ask the user to start the console", "ask_user"),
    "E_BAD_REQUEST": (-32001, "the request has not the shape of this action", "compare it with the schema", "rewrite"),
    "E_PROTOCOL": (-32001, "both ends speak different versions, or hello was missing", "ask the user to update", "ask_user"),
    "E_BUSY": (-32001, "too many requests or connections", "stop; the same may be sent again later", "stop"),
    "E_DENIED": (-32002, "the human denied it", "do not ask again", "stop"),
    "E_NO_ANSWER": (-32003, "no answer came in time", "tell the user", "ask_user"),
    "E_UNKNOWN_TICKET": (-32004, "the ticket is not known", "ask without a ticket", "rewrite"),
    "E_STALE": (-32004, "the profile changed after the approval", "ask again", "rewrite"),
    "E_CONNECTION": (-32005, "the connection was lost", "tell the user", "ask_user"),
    "E_POLICY": (-32001, "no policy in force", "ask the user", "ask_user"),
    "E_POLICY_PENDING": (-32006, "a change of the policy waits for the human", "ask the user", "ask_user"),
    "E_UNKNOWN_NOTE": (-32001, "no such note", "ask the user for its name", "ask_user"),
    "E_INTERNAL": (-32001, "something went wrong inside", "tell the user", "ask_user"),
}

EXIT = {"ok": 0, "failed": 1, "refused": 4, "denied": 5, "no_console": 6, "usage": 64}


class Refusal(Exception):
    """A code of the table; `detail` is for a person and holds names of keys and files only."""

    def __init__(self, code, detail=None):
        super().__init__(code)
        self.code = code if code in TABLE else "E_INTERNAL"
        self.detail = detail

    def as_json(self):
        _number, meaning, hint, retry = TABLE[self.code]
        return {"error": {"code": self.code, "meaning": self.detail or meaning, "hint": hint, "retry": retry}}


def usage(detail):
    return Refusal("E_USAGE", detail)


def exit_of(code):
    if code == "E_USAGE":
        return EXIT["usage"]
    if code == "E_NO_CONSOLE":
        return EXIT["no_console"]
    number = TABLE[code][0]
    if number in (-32002, -32003):
        return EXIT["denied"]
    return EXIT["failed"] if number == -32005 or code == "E_INTERNAL" else EXIT["refused"]


def visible(text):
    """Text from outside for a terminal: printable ASCII, everything else as an escape."""
    return "".join(c if " " <= c <= "~" else "\\u{%x}" % ord(c) for c in str(text))
