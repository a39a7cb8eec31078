"""A console of locknote for one profile, as far as the wire goes: hello, status, read. It asks no human and holds notes
of its own; it is here to be held against the socket suite."""
import json
import os
import socket
import socketserver
import struct
import threading
import time

from actions import ACTIONS, check_params
from refusals import TABLE

MAX_REQUEST = 1024 * 1024
MAX_CONNECTIONS = 32
MAX_REQUESTS_A_SECOND = 20
NOTES = {"today": "buy bread"}
HELLO_KEYS = {"protocol_major", "client"}


class Peers:
    """Connections and requests of each account."""

    def __init__(self):
        self.lock = threading.Lock()
        self.connections = {}
        self.times = {}

    def enter(self, uid):
        with self.lock:
            self.connections[uid] = self.connections.get(uid, 0) + 1
            return self.connections[uid] <= MAX_CONNECTIONS

    def leave(self, uid):
        with self.lock:
            self.connections[uid] -= 1

    def admit(self, uid):
        now = time.monotonic()
        with self.lock:
            recent = [at for at in self.times.get(uid, []) if now - at < 1]
            self.times[uid] = recent
            if len(recent) >= MAX_REQUESTS_A_SECOND:
                return False
            recent.append(now)
            return True


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        raw = self.request.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        self.uid = struct.unpack("3i", raw)[1]
        self.greeted = False
        try:
            if self.server.peers.enter(self.uid):
                while self.serve_line():
                    pass
        except (OSError, ValueError):
            pass
        finally:
            self.server.peers.leave(self.uid)

    def serve_line(self):
        line = self.rfile.readline(MAX_REQUEST + 1)
        if not line.endswith(b"\n"):
            return False
        request = parse(line)
        if isinstance(request, int):
            return self.refuse(None, "E_BAD_REQUEST", request)
        if not self.server.peers.admit(self.uid):
            return self.refuse(request["id"], "E_BUSY")
        return self.answer(request) if self.greeted else self.hello(request)

    def hello(self, request):
        params = request["params"]
        good = (
            request["method"] == "hello"
            and isinstance(params, dict)
            and set(params) == HELLO_KEYS
            and type(params["protocol_major"]) is int
            and params["protocol_major"] == 1
            and isinstance(params["client"], str)
            and len(params["client"]) <= 100
        )
        if not good:
            self.refuse(request["id"], "E_PROTOCOL")
            return False
        self.greeted = True
        said = {"protocol_major": 1, "lock": self.server.lock, "version": self.server.version}
        return self.send({"id": request["id"], "result": {**said, "profile": self.server.profile}})

    def answer(self, request):
        method, params = request["method"], request["params"]
        if method not in ACTIONS:
            return self.refuse(request["id"], "E_BAD_REQUEST", -32601)
        if not check_params(method, params):
            return self.refuse(request["id"], "E_BAD_REQUEST", -32602)
        if method == "status":
            return self.send({"id": request["id"], "result": status(self.server.profile)})
        if params["note"] not in NOTES:
            return self.refuse(request["id"], "E_UNKNOWN_NOTE")
        return self.send({"id": request["id"], "result": {"text": NOTES[params["note"]]}})

    def refuse(self, number, code, error=None):
        row = TABLE[code]
        data = {"code": code, "hint": row[2], "retry": row[3]}
        return self.send({"id": number, "error": {"code": error or row[0], "message": row[1], "data": data}})

    def send(self, message):
        self.wfile.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        return True


def parse(line):
    """A request, or the number of what is wrong with the line."""
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return -32700
    if not isinstance(message, dict):
        return -32700
    number = message.get("id")
    known = set(message) <= {"jsonrpc", "id", "method", "params"}
    id_good = (type(number) is int) or (isinstance(number, str) and len(number) <= 128)
    if not known or message.get("jsonrpc") != "2.0" or not id_good or not isinstance(message.get("method"), str):
        return -32600
    return {"id": number, "method": message["method"], "params": message.get("params", {})}


def status(profile):
    shared = {"profile": profile, "console": "running", "production": False, "desktop_level": 1}
    return {**shared, "idle_timeout_in_s": 1200, "session_ends_in_s": 14400, "policy": "approved"}


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def serve(path, lock, version, profile):
    """Until the process is ended. The socket is nobody's but this account's."""
    os.umask(0o117)
    with Server(path, Handler) as server:
        server.lock, server.version, server.profile = lock, version, profile
        server.peers = Peers()
        print("ready", flush=True)
        server.serve_forever()
