"""Receives deliveries, and verifies each with the package that PyPI publishes. Prints its type, or why it was refused."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook

webhooks = [Webhook(secret) for secret in os.environ["WEBHOOK_SECRETS"].split(" ")]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            types = [webhook.verify(body, dict(self.headers.items()))["type"] for webhook in webhooks]
            print(types[0], flush=True)
            self.send_response(204)
        except Exception as error:
            print(type(error).__name__, flush=True)
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
