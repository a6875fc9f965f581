"""Drives the gate for the judge: reads a JSON object from each line, and prints one."""

import json
import sys
from datetime import datetime

from latchkey_gate import LicenseGate
from latchkey_receipt import iso, verify_receipt
from latchkey_service import ServiceError

state = {"text": None, "now": None, "fails": False, "gate": None}


class Memory:
    def load(self):
        if state["fails"]:
            raise OSError("no permission")
        return state["text"]

    def save(self, text):
        if state["fails"]:
            raise OSError("the disk is full")
        state["text"] = text


def instant(text):
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def judged(result):
    members = {"verdict": result.verdict, "entitlement": result.entitlement}
    if result.verdict == "invalid":
        return {**members, "reason": result.reason}
    times = {"issuedAt": result.issued_at, "refreshAfter": result.refresh_after, "expiresAt": result.expires_at}
    return {**members, "mode": result.mode, **{name: iso(each) for name, each in times.items()}}


def checked(result):
    members = {
        "verdict": result.verdict,
        "reason": result.reason,
        "entitlement": result.entitlement,
        "features": result.features,
        "deviceLimit": result.device_limit,
        "nextCheck": iso(result.next_check),
    }
    if result.verdict == "unavailable":
        return {**members, "receipt": result.receipt}
    members["source"] = result.source
    if result.verdict == "valid":
        members["offlineUntil"] = result.offline_until and iso(result.offline_until)
    if result.trial is not None:
        members["trial"] = {"endsAt": iso(result.trial.ends_at), "daysLeft": result.trial.days_left}
    return members


def released(license_key):
    try:
        state["gate"].release(license_key)
        return {"released": True}
    except ServiceError as error:
        return {"released": False, "code": error.code}


def opened(message):
    device = message["device"] or {}
    state.update(text=message["stored"], fails=message["storage"] == "fails")
    state["gate"] = LicenseGate(
        message["baseUrl"],
        message["keys"],
        message["productId"],
        Memory(),
        device_id=device.get("id"),
        device_name=device.get("name"),
        trial=message.get("trial", False),
        released_at=instant(message.get("releasedAt")),
        timeout=message["timeout"] / 1000,
        now=lambda: state["now"],
    )
    return {}


def verified(message):
    return verify_receipt(
        message["receipt"],
        message["keys"],
        message["productId"],
        message.get("licenseKey"),
        device_id=message.get("deviceId"),
        now=state["now"],
        last_seen=instant(message.get("lastSeen")),
        trial=message.get("trial", False),
    )


def answer(message):
    call = message["call"]
    state["now"] = instant(message.get("now")) or state["now"]
    if call == "hello":
        return {}
    if call == "open":
        return opened(message)
    if call == "verifyReceipt":
        return {"result": judged(verified(message))}
    if call == "check":
        result = checked(state["gate"].check(message["licenseKey"], message.get("replace")))
    elif call == "accept":
        result = judged(state["gate"].accept(message["receipt"]))
    else:
        result = released(message["licenseKey"])
    return {"result": result, "stored": state["text"]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
