"""What an agent may ask of locknote, in one table: the console, the command and the MCP server read it."""

NAME = {"type": "string", "description": "its name"}
CHOICE = {
    "profile": {"type": "string", "description": "which profile"},
    "instance": {"type": "string", "description": "which console of the profile"},
}
ACTIONS = {
    "status": {"params": {}, "required": [], "description": "Tells which profiles there are and whether a console runs."},
    "read": {"params": {"note": NAME}, "required": ["note"], "description": "Reads a note that the human allows."},
}


def check_params(action, params):
    """Whether they are exactly what the action takes."""
    wanted = ACTIONS[action]
    if not isinstance(params, dict) or set(params) - set(wanted["params"]) or set(wanted["required"]) - set(params):
        return False
    return all(isinstance(value, str) and 0 < len(value) <= 200 for value in params.values())


def check_result(action, result):
    if action == "status":
        return isinstance(result, dict)
    return isinstance(result, dict) and set(result) == {"text"} and isinstance(result["text"], str)
