"""The agent's side of the wire: one connection, hello, one request. A console is believed about results only."""
import hashlib
import json
import os
import socket
import struct

from refusals import TABLE, Refusal

MAX_REPLY = 16 * 1024 * 1024
TIMEOUT_S = 20
HELLO_S = 10


def socket_path(folder, root, profile):
    place = hashlib.sha256(root.encode()).hexdigest()[:8]
    return os.path.join(folder, f"{place}-{profile}.sock")


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(HELLO_S)
        self.rest = b""
        self.next_id = 1
        try:
            self.socket.connect(path)
        except OSError:
            raise Refusal("E_NO_CONSOLE")
        credentials = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        if struct.unpack("3i", credentials)[1] != os.getuid():
            self.socket.close()
            raise Refusal("E_NO_CONSOLE")

    def line(self):
        chunks, size = [self.rest], len(self.rest)
        while b"\n" not in chunks[-1]:
            chunk = self.socket.recv(262144)
            size += len(chunk)
            if not chunk or size > MAX_REPLY:
                raise Refusal("E_CONNECTION")
            chunks.append(chunk)
        line, self.rest = b"".join(chunks).split(b"\n", 1)
        return line

    def ask(self, method, params):
        number = self.next_id
        self.next_id += 1
        try:
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            self.socket.sendall(json.dumps(message).encode() + b"\n")
            while True:
                reply = json.loads(self.line())
                if reply.get("id") == number:
                    break
        except (OSError, ValueError, AttributeError, RecursionError):
            raise Refusal("E_CONNECTION")
        if "result" in reply:
            return reply["result"]
        code = reply.get("error", {}).get("data", {}).get("code")
        raise Refusal(code if code in TABLE else "E_INTERNAL")

    def hello(self, client):
        said = self.ask("hello", {"protocol_major": 1, "client": client})
        if not isinstance(said, dict) or said.get("protocol_major") != 1:
            raise Refusal("E_PROTOCOL")
        self.socket.settimeout(TIMEOUT_S)


def call(folder, root, profile, client, method, params):
    connection = Connection(socket_path(folder, root, profile))
    connection.hello(client)
    return connection.ask(method, params)
