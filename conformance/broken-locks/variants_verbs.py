"""Faults of the command line: exits, errors, flags, version, init, doctor."""
import json
import os
import sys

import doctor
import locknote
import policy
import refusals
import wiring
from refusals import EXIT, usage
from variants import variant, wrap


@variant("verbs", "version-json", "VRB-001", "the major is a text")
def version_text_major():
    def around(old, words, *rest):
        value, code = old(words, *rest)
        return ({**value, "protocol_major": "1"} if words == ("version",) else value), code

    wrap(locknote, "run", around)


@variant("verbs", "version-without-home", "VRB-002", "version needs a home")
def version_needs_home():
    def around(old, words, *rest):
        os.listdir(os.environ["HOME"])
        return old(words, *rest)

    wrap(locknote, "run", around)


@variant("verbs", "version-json", "VRB-065", "a banner before the JSON")
def banner():
    def around(old, value, as_json):
        print("locknote, at your service")
        old(value, as_json)

    wrap(locknote, "show", around)


@variant("verbs", "usage-unknown-command", "VRB-060", "usage ends with 1")
def usage_is_one():
    EXIT["usage"] = 1


@variant("verbs", "usage-unknown-command", "VRB-060", "usage ends with 0")
def usage_is_zero():
    EXIT["usage"] = 0


@variant("verbs", "usage-json-errors", "VRB-061", "an error under --json goes to standard error as text")
def errors_as_text():
    wrap(locknote, "fail", lambda old, refusal, as_json: old(refusal, False))


@variant("verbs", "usage-json-errors", "DEC-051", "an error has no retry rule")
def error_without_retry():
    def around(old, self):
        value = old(self)
        del value["error"]["retry"]
        return value

    wrap(refusals.Refusal, "as_json", around)


@variant("verbs", "usage-text-errors", "VRB-061", "a sentence for a person goes to standard output")
def errors_to_stdout():
    def around(old, refusal, as_json):
        sys.stderr = sys.stdout
        return old(refusal, as_json)

    wrap(locknote, "fail", around)


def flags_again(argv, keep):
    """Drops the words that parse_argv would refuse, where `keep` says no."""
    known = {"--json", "--help", *("--" + flag for flags, _ in locknote.COMMANDS.values() for flag in flags)}
    return [word for word in argv if keep(word, known)]


@variant("verbs", "profile-add-unknown-flag", "VRB-026", "an unknown flag is ignored")
def unknown_flag_ignored():
    def keep(word, known):
        return not word.startswith("--") or word.split("=")[0] in known

    def around(old, argv):
        kept = flags_again(argv, keep)
        return old([word for word in kept if word != "x"])

    wrap(locknote, "parse_argv", around)


@variant("verbs", "usage-unknown-flag", "VRB-062", "an unknown flag is repeated in the error")
def flag_repeated():
    def around(old, argv):
        try:
            return old(argv)
        except refusals.Refusal:
            raise usage("unknown: " + " ".join(argv))

    wrap(locknote, "parse_argv", around)


@variant("verbs", "usage-control-characters", "VRB-065", "an unknown word drives the terminal")
def terminal_driven():
    flag_repeated()


@variant("verbs", "profile-add-boolean-with-value", "VRB-026", "--production=false is read as production")
def false_is_true():
    wrap(locknote, "parse_argv", lambda old, argv: old([word.removesuffix("=false") for word in argv]))


@variant("verbs", "profile-add-flag-twice", "VRB-026", "of a flag given twice the last wins")
def last_flag_wins():
    def around(old, argv):
        at = [i for i, word in enumerate(argv) if word == "--profile"]
        return old(argv if len(at) < 2 else argv[: at[0]] + argv[at[0] + 2 :])

    wrap(locknote, "parse_argv", around)


@variant("verbs", "profile-add-secret-flag-password", "VRB-012", "--password is taken and forgotten")
def password_taken():
    locknote.COMMANDS[("profile", "add")][0]["password"] = True


@variant("verbs", "profile-add-secret-flag-token", "VRB-012", "--token is taken and written")
def token_written():
    locknote.COMMANDS[("profile", "add")][0]["token"] = True
    policy.KEYS["token"] = str

    def around(old, root, lock, name, values):
        words = sys.argv
        for word in words:
            if word.startswith("--token="):
                values["token"] = word[8:]
        if "--token" in words:
            values["token"] = words[words.index("--token") + 1]
        return old(root, lock, name, values)

    wrap(policy, "add", around)


@variant("verbs", "profile-add-asks-nothing", "VRB-013", "it asks whether you are sure")
def asks():
    def around(old, root, flags):
        sys.stdin.readline()
        return old(root, flags)

    wrap(locknote, "run_profile_add", around)


@variant("verbs", "profile-add-secret-stdin", "VRB-014", "a line of standard input is kept as the passphrase")
def stdin_kept():
    def around(old, root, flags):
        value = old(root, flags)
        with open(os.path.join(root, ".locknote", "passphrase"), "w") as file:
            file.write(sys.stdin.readline())
        return value

    wrap(locknote, "run_profile_add", around)


@variant("verbs", "profile-add-secret-environment", "VRB-014", "the environment is kept for later")
def environment_kept():
    def around(old, root, flags):
        value = old(root, flags)
        with open(os.path.join(root, ".locknote", "env.json"), "w") as file:
            json.dump(dict(os.environ), file)
        return value

    wrap(locknote, "run_profile_add", around)


@variant("verbs", "profile-add-bad-value", "VRB-062", "a wrong value is repeated in the error")
def value_repeated():
    def around(old, name, values):
        try:
            old(name, values)
        except refusals.Refusal as refusal:
            raise usage(f"{refusal.detail}: {values}")

    wrap(policy, "check_profile", around)


@variant("verbs", "profile-add-bad-value", "VRB-018", "a wrong value is refused, nobody knows which")
def value_unnamed():
    def around(old, name, values):
        try:
            old(name, values)
        except refusals.Refusal:
            raise usage("something is wrong")

    wrap(policy, "check_profile", around)


@variant("verbs", "profile-add-production", "VRB-025", "--production is taken and not written")
def production_dropped():
    wrap(policy, "encode", lambda old, name, values: old(name, {k: v for k, v in values.items() if k != "production"}))


@variant("verbs", "profile-add-from-below", "VRB-024", "the working folder is taken for the project")
def no_project_root():
    policy.project_root = lambda lock, start: os.path.realpath(start)


@variant("verbs", "usage-no-verb-loosens", "VRB-029", "an agent can approve")
def approves():
    locknote.COMMANDS[("approve",)] = ({"profile": True}, 0)
    wrap(locknote, "run", lambda old, words, *rest: ({"approved": True}, 0) if words == ("approve",) else old(words, *rest))


@variant("verbs", "usage-help", "VRB-064", "help is a mistake")
def help_is_usage():
    wrap(locknote, "main", lambda old, argv: 64 if "--help" in argv else old(argv))


@variant("verbs", "status-broken-policy", "VRB-063", "an error is a stack trace")
def stack_trace():
    def around(old, refusal, as_json):
        raise refusal

    wrap(locknote, "fail", around)


@variant("verbs", "status-no-console", "DEC-032", "status says that a console runs")
def status_lies():
    def around(old, root, profile):
        value, code = old(root, profile)
        return {**value, "profiles": [{**row, "console": "running"} for row in value["profiles"]]}, code

    wrap(locknote, "run_status", around)


@variant("verbs", "status-no-console", "DEC-032", "status makes the policy's folder")
def status_writes():
    def around(old, root, profile):
        open(os.path.join(root, ".locknote", "seen"), "w").close()
        return old(root, profile)

    wrap(locknote, "run_status", around)


@variant("verbs", "action-no-console", "DEC-005", "without a console it says that all is well")
def no_console_is_well():
    EXIT["no_console"] = 0


@variant("verbs", "doctor-finds-broken-policy", "VRB-067", "doctor always ends with 0")
def doctor_exit_zero():
    wrap(locknote, "run_doctor", lambda old, *args: (old(*args)[0], 0))


@variant("verbs", "doctor-json", "VRB-041", "doctor always ends with 1")
def doctor_exit_one():
    wrap(locknote, "run_doctor", lambda old, *args: (old(*args)[0], 1))


@variant("verbs", "doctor-changes-nothing", "VRB-042", "doctor mends without being asked")
def doctor_mends_unasked():
    wrap(locknote, "doctor", lambda old, root, lock, fix: old(root, lock, True))


@variant("verbs", "doctor-finds-broken-policy", "VRB-044", "doctor never reads the policy")
def doctor_blind():
    doctor.check_config = lambda path: {"id": "config", "state": "ok", "detail": "fine"}


@variant("verbs", "doctor-fixes-open-policy", "VRB-043", "doctor says that it mended, and did not")
def doctor_pretends():
    doctor.os = type("Os", (), {**vars(os), "chmod": staticmethod(lambda path, mode: None)})


@variant("verbs", "doctor-every-fix", "VRB-045", "doctor does not say how to mend")
def doctor_without_fix():
    def around(old, root, lock, fix):
        value = old(root, lock, fix)
        return {**value, "checks": [{k: v for k, v in check.items() if k != "fix"} for check in value["checks"]]}

    wrap(locknote, "doctor", around)


@variant("verbs", "doctor-ids-stand-once", "VRB-040", "two checks share an id")
def doctor_ids_twice():
    def around(old, root, lock, fix):
        value = old(root, lock, fix)
        return {**value, "checks": value["checks"] + value["checks"][:1]}

    wrap(locknote, "doctor", around)


@variant("verbs", "init-unknown-agent", "VRB-037", "an unknown agent is ignored")
def agent_ignored():
    wrap(wiring, "init", lambda old, root, name, agents: old(root, name, [one for one in agents if one in wiring.PLACES]))


@variant("verbs", "init-claude", "VRB-038", "init does not say what it did")
def init_silent():
    wrap(locknote, "run_init", lambda old, *args: ({"ok": True}, old(*args)[1]))
