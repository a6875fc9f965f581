"""Asks a service of Latchkey about licenses, for latchkey_gate.py, which is copied into an app together with this file.

Only an answer in the form of the service is a verdict. A timeout, a portal, a proxy, a redirect, an answer that is cut
off, of more than 256 KiB or of another form raises `ServiceError`: it says nothing about the license.
"""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from latchkey_receipt import are_features, is_device_limit, is_entitlement, object_in, sent_key

EDITION = "2026-07-18"
MAX_BODY = 262_144
SEAT_REFUSALS = {
    "malformed_license_key": "malformed",
    "license_not_found": "unknown",
    "device_limit": "device_limit",
    "device_offline": "device_offline",
    "too_many_releases": "too_many_releases",
}

Send = Callable[[str, dict, bytes, float], "tuple[int, Mapping[str, str], bytes]"]


class ServiceError(Exception):
    """The service refused, or gave no usable answer. `code` is its Error-Code, or None."""

    def __init__(self, message: str, code: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Answer:
    """A verdict of the service. `receipt` is a text that nobody has verified yet; `allowed` is set by a seat."""

    verdict: str  # valid, invalid
    reason: Optional[str] = None
    entitlement: Optional[dict] = None
    receipt: Optional[str] = None
    allowed: dict = field(default_factory=dict)


class Service:
    """The operations of a service about the licenses of a product. `send` sends a request in place of `post`."""

    def __init__(self, base_url: str, product_id: str, timeout: float, send: Optional[Send]) -> None:
        self._base_url, self._product_id = base_url.rstrip("/"), product_id
        self._timeout, self._send = timeout, send or post

    def verify(self, license_key: str) -> Answer:
        try:
            body = self._post("verify", self._asked(license_key))
        except ServiceError as error:
            if error.code != "malformed_license_key":
                raise
            return Answer("invalid", "malformed")
        valid, entitlement = body.get("valid"), body.get("entitlement")
        if valid is False and "entitlement" not in body:
            return Answer("invalid", "unknown")
        if not isinstance(valid, bool) or not is_entitlement(entitlement):
            raise _unusable()
        return Answer("valid", None, entitlement) if valid else Answer("invalid", "no_access", entitlement)

    def activate(self, license_key: str, device: Mapping[str, str], replace: Optional[str]) -> Answer:
        """Ask for a seat, and for the reason if the license gives no access."""
        body = {**self._asked(license_key), **device, **({} if replace is None else {"replace": replace})}
        try:
            data = self._data("activate", body)
        except ServiceError as error:
            if error.code in SEAT_REFUSALS:
                return Answer("invalid", SEAT_REFUSALS[error.code])
            if error.code != "no_access":
                raise
            explained = self.verify(license_key)
            if explained.verdict == "valid":
                raise
            return explained
        if (
            not _is_seat(data)
            or not are_features(data.get("features", {}))
            or not is_entitlement(data.get("entitlement"))
        ):
            raise _unusable()
        if data.get("receipt", "") is not None and not _has_receipt(data.get("receipt")):
            raise _unusable()
        allowed = {each: data[each] for each in ("features", "deviceLimit") if data.get(each) is not None}
        return Answer("valid", None, data["entitlement"], data["receipt"] and data["receipt"]["receipt"], allowed)

    def deactivate(self, license_key: str, device_id: str) -> None:
        if not _is_seat(self._data("deactivate", {**self._asked(license_key), "deviceId": device_id})):
            raise _unusable()

    def receipt(self, license_key: str) -> str:
        return _receipt_in(self._data("receipt", self._asked(license_key)))

    def trial(self, device_id: str) -> str:
        """Start the trial of a device, or go on with it; the receipt of the trial."""
        return _receipt_in(self._data("trial", {"productId": self._product_id, "deviceId": device_id}).get("receipt"))

    def _asked(self, license_key: str) -> dict:
        return {"licenseKey": sent_key(license_key), "productId": self._product_id}

    def _data(self, verb: str, body: dict) -> dict:
        answer = self._post(verb, body)
        if answer.get("success") is not True or not isinstance(answer.get("data"), dict):
            raise _unusable()
        return answer["data"]

    def _post(self, verb: str, body: dict) -> dict:
        headers = {"Accept": "application/json", "API-Version": EDITION, "Content-Type": "application/json"}
        url = f"{self._base_url}/api/licenses/{verb}"
        try:
            status, fields, answer = self._send(url, headers, json.dumps(body).encode(), self._timeout)
        except Exception as error:
            raise ServiceError(f"the service could not be reached: {error}") from error
        if len(answer) > MAX_BODY:
            raise _unusable()
        if not 200 <= status < 300:
            raise ServiceError(f"the service answered {status}", fields.get("Error-Code"))
        found = object_in(answer)
        if found is None:
            raise _unusable()
        return found


def post(url: str, headers: dict, body: bytes, timeout: float) -> "tuple[int, Mapping[str, str], bytes]":
    """Send a request, and follow no redirect. Raises if the whole answer is not there after `timeout` seconds."""
    outcome: list = []
    deadline = time.monotonic() + timeout

    def exchange() -> None:
        try:
            request = urllib.request.Request(url, body, {**headers, "User-Agent": "latchkey-gate"}, method="POST")
            outcome.append(_read(request, timeout, deadline))
        except Exception as error:
            outcome.append(error)

    # A thread, because the timeout of a socket starts again with each byte, and names are looked up without one.
    thread = threading.Thread(target=exchange, daemon=True)
    thread.start()
    thread.join(timeout)
    if not outcome:
        raise TimeoutError(f"no answer within {timeout} s")
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


def _read(request: urllib.request.Request, timeout: float, deadline: float) -> "tuple[int, Mapping[str, str], bytes]":
    try:
        response = _opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        answer = b""
        while chunk := response.read(65_536):
            answer += chunk
            if len(answer) > MAX_BODY or time.monotonic() > deadline:
                raise OSError("the answer is too long, or takes too long")
        if getattr(response, "length", None):
            raise OSError("the answer was cut off")
        return response.status, response.headers, answer


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None  # a redirect could lead a key elsewhere


_opener = urllib.request.build_opener(_NoRedirect)


def _unusable() -> ServiceError:
    return ServiceError("the answer is not one of Latchkey")


def _is_seat(data: dict) -> bool:
    return isinstance(data.get("device"), str) and is_device_limit(data.get("deviceLimit", ""))


def _has_receipt(issued: Any) -> bool:
    return isinstance(issued, dict) and isinstance(issued.get("receipt"), str)


def _receipt_in(issued: Any) -> str:
    if not _has_receipt(issued):
        raise _unusable()
    return issued["receipt"]
