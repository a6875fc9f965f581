"""Latchkey's license gate for Python 3.9 and later.

Copy this file, latchkey_service.py and latchkey_receipt.py into your app. They need the package `cryptography`.

    gate = LicenseGate("https://licenses.example", KEYS, "sketchpad", FileStorage("license.json"))
    check = gate.check(license_key)
    if check.verdict == "valid":
        start(sso=check.features.get("sso", False))

`KEYS` is what `latchkey signing-key export` prints, parsed and shipped inside the app. Check at the start, and again at
`check.next_check`. A check takes seconds while the service is down, so call it beside the user interface.

The gate stores one text, with the receipt and the latest instant that the machine has seen. Keep it in a folder of the
user on this machine that is not synchronized, one for each product. A storage that fails costs offline days only.

`verdict` is `valid`, `invalid` or `unavailable`: the service gave no verdict, and neither did the receipt. Ask again
later, and lock nobody out for good by it. `reason` of `invalid`, from the service unless the text says otherwise:

    unknown            no license of this product has the key, or it was revoked
    malformed          the key cannot be one: it was mistyped
    no_access          the license is known and over, or suspended; `entitlement` says which
    device_limit       all seats are taken: `replace` frees one
    device_offline     the device to be replaced has an offline receipt, and keeps its seat
    too_many_releases  seats of this license were released too often
    expired            of the receipt: it is over, and the service must be reached once
    clock_set_back     of the receipt: the clock is more than a day behind what it has shown before
    trial_ended        the trial of this device is over
    trial_not_offered  the product has no trial
    updates_ended      this build came out after the updates of the license: an earlier one goes on; from either

docs/gates.md has the rules; gates/cases.json is what these files are judged by.
"""

import json
import os
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from dataclasses import replace as changed
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Optional, Protocol, Union

from latchkey_receipt import (
    DAY,
    WHITE,
    ReceiptCheck,
    covers,
    instant,
    is_of_trial,
    iso,
    object_in,
    unfolded,
    verify_receipt,
)
from latchkey_service import Answer, Send, Service, ServiceError

HOUR = timedelta(hours=1)
MEMBERS = ("id", "productId", "status", "tierId", "tierName", "billingInterval", "currentPeriodEnd")


class Storage(Protocol):
    """Keeps one text from start to start. What it raises costs offline days only."""

    def load(self) -> Optional[str]:
        """Return the text that was saved last, or None."""
        ...

    def save(self, text: str) -> None: ...


class FileStorage:
    """Keeps the text in a file, which is replaced as a whole."""

    def __init__(self, path: str) -> None:
        self._path = path

    def load(self) -> Optional[str]:
        with open(self._path, encoding="utf-8") as file:
            return file.read()

    def save(self, text: str) -> None:
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(f"{self._path}.new", self._path)


@dataclass(frozen=True)
class Trial:
    """A trial that runs. `days_left` is rounded up."""

    ends_at: datetime
    days_left: int


@dataclass(frozen=True)
class Check:
    """Whether the app may run, and how that is known."""

    verdict: str  # valid, invalid, unavailable
    source: Optional[str] = None  # online, receipt; None if unavailable
    reason: Optional[str] = None  # why it is invalid
    entitlement: Optional[dict] = None
    features: Mapping[str, Any] = field(default_factory=dict)  # none unless it is valid
    device_limit: Optional[int] = None
    offline_until: Optional[datetime] = None
    next_check: Optional[datetime] = None
    trial: Optional[Trial] = None
    receipt: Optional[str] = None  # if unavailable, why the stored receipt does not count
    error: Optional[Exception] = None  # if unavailable, why the service gave no verdict


class LicenseGate:
    """Decides whether an app may run, also while the service is down. Its methods may be called from any thread.

    With `device_id` it takes a seat for the device: 8 to 128 printable ASCII characters without spaces, made once and
    kept. With `trial` as well, `check(None)` starts the trial of the device, or goes on with it. `timeout` is seconds
    for each request. `released_at` is when this build was released: it is `updates_ended` with a license whose updates
    ended before. `send` sends a request in place of `latchkey_service.post`.
    """

    def __init__(
        self,
        base_url: str,
        keys: Mapping[str, Any],
        product_id: str,
        storage: Storage,
        *,
        device_id: Optional[str] = None,
        device_name: Optional[str] = None,
        trial: bool = False,
        released_at: Optional[datetime] = None,
        timeout: float = 3.0,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
        send: Optional[Send] = None,
    ) -> None:
        if not keys.get("keys") or not product_id:
            raise ValueError("keys must be a JWKS with at least one key, and product_id the id of a product")
        if device_id is not None and not re.fullmatch(r"[\x21-\x7e]{8,128}", device_id.strip(WHITE)):
            raise ValueError("device_id must be 8 to 128 printable ASCII characters without spaces")
        if trial and device_id is None:
            raise ValueError("a trial needs a device_id")
        if released_at is not None and released_at.tzinfo is None:
            raise ValueError("released_at must have a time zone")
        self._service = Service(base_url, product_id, timeout, send)
        self._keys, self._product_id, self._storage = keys, product_id, storage
        self._device_id, self._device_name = device_id, device_name
        self._trial, self._released_at, self._now = trial, released_at, now
        self._lock = threading.Lock()

    def check(self, license_key: Optional[str], replace: Optional[str] = None) -> Check:
        """Ask the service once, and the stored receipt if it gives no verdict. Raises nothing for what either does.

        `replace` names the device, as lists of devices show it, that makes room if no seat is free.
        """
        if license_key is None and self._trial:
            return self._try_out()
        license_key = license_key or ""
        try:
            answer: Union[Answer, ServiceError] = self._ask(license_key, replace)
        except ServiceError as error:
            answer = error
        return self._in_turn(lambda *stored: self._verdict(license_key, answer, *stored))

    def accept(self, receipt: str) -> ReceiptCheck:
        """Verify a receipt that the seller has handed out, and store it if it is a valid offline receipt."""

        def accepted(_: Optional[str], last_seen: Optional[datetime], now: datetime) -> ReceiptCheck:
            judged = self._verify(receipt, None, now, last_seen)
            if judged.verdict == "valid" and judged.mode == "offline":
                self._save(unfolded(receipt), _latest(now, last_seen))
            return judged

        return self._in_turn(accepted)

    def release(self, license_key: str) -> None:
        """Free the seat of this device and drop the receipt, or raise `ServiceError`."""
        if self._device_id is None:
            raise ValueError("the gate has no device to release")
        self._service.deactivate(license_key, self._device_id)
        self._in_turn(lambda *stored: self._drop(license_key, *stored))

    def _in_turn(self, action: Callable[[Optional[str], Optional[datetime], datetime], Any]) -> Any:
        """Do something with what is stored: the receipt, the latest instant that was seen, and the present one."""
        with self._lock:
            receipt, last_seen = self._load()
            return action(receipt, last_seen, self._now())

    def _ask(self, license_key: str, replace: Optional[str]) -> Answer:
        if self._device_id is None:
            return self._service.verify(license_key)
        device = {"deviceId": self._device_id}
        if self._device_name is not None:
            device["deviceName"] = self._device_name
        return self._service.activate(license_key, device, replace)

    def _verdict(self, license_key: str, answer: Union[Answer, ServiceError], *stored: Any) -> Check:
        if isinstance(answer, ServiceError):
            return self._unavailable(license_key, answer, *stored)
        if answer.verdict == "valid":
            return self._valid(license_key, answer, *stored)
        return self._invalid(license_key, answer, *stored)

    def _valid(
        self, license_key: str, answer: Answer, stored: Optional[str], _: Optional[datetime], now: datetime
    ) -> Check:
        """The service says so now, so an instant that was seen before does not count."""
        judged = self._judge(stored, license_key, now)
        is_offline = judged is not None and judged.verdict == "valid" and judged.mode == "offline"
        fetched = None if self._is_fresh(judged, answer, now) else self._new_receipt(license_key, answer)
        another = self._judge(fetched, license_key, now)
        is_next = another is not None and another.entitlement is not None and not is_offline
        receipt, held = (fetched, another) if is_next else (stored, judged)
        self._save(receipt, now)
        shown = next((each.entitlement for each in (another, held) if each is not None and each.verdict == "valid"), {})
        entitlement = {**answer.entitlement, **_named(shown, "accessEndsAt", "updatesUntil")}
        entitlement.update(_named(shown if self._device_id is None else answer.allowed, "features", "deviceLimit"))
        if not covers(entitlement, self._released_at):
            return _ended("online", entitlement, now)
        until = held.expires_at if held is not None and held.verdict == "valid" else None
        return _allowing(Check("valid", "online", None, entitlement, offline_until=until), now)

    def _invalid(self, license_key: str, answer: Answer, *stored: Any) -> Check:
        """A receipt must not contradict the service later. A typing error says nothing about the license."""
        if answer.reason != "malformed":
            self._drop(license_key, *stored)
        return _allowing(Check("invalid", "online", answer.reason, answer.entitlement), stored[-1])

    def _unavailable(
        self, license_key: str, error: Exception, stored: Optional[str], last_seen: Optional[datetime], now: datetime
    ) -> Check:
        judged = self._judge(stored, license_key, now, last_seen)
        if judged is None or judged.entitlement is None:
            return _no_verdict(judged, error, now)
        self._save(stored, _latest(now, last_seen))
        if judged.verdict == "valid" and not covers(judged.entitlement, self._released_at):
            return _ended("receipt", judged.entitlement, now)
        return _allowing(
            Check(judged.verdict, "receipt", judged.reason, judged.entitlement, offline_until=judged.expires_at), now
        )

    def _is_fresh(self, judged: Optional[ReceiptCheck], answer: Answer, now: datetime) -> bool:
        """Whether no other receipt is needed: this one shows what the service says, and is young or offline.

        One that does not cover this build may be one from before a renewal.
        """
        if self._device_id is not None or judged is None or judged.verdict != "valid":
            return False
        if not covers(judged.entitlement, self._released_at):
            return False
        is_same = all(judged.entitlement.get(each) == answer.entitlement.get(each) for each in MEMBERS)
        return is_same and (judged.mode == "offline" or now < judged.refresh_after)

    def _new_receipt(self, license_key: str, answer: Answer) -> Optional[str]:
        if self._device_id is not None:
            return answer.receipt
        try:
            return self._service.receipt(license_key)
        except ServiceError:
            return None

    def _drop(self, license_key: str, stored: Optional[str], last_seen: Optional[datetime], now: datetime) -> None:
        """Forget the stored receipt, unless it is one of another license or product."""
        judged = self._judge(stored, license_key, now)
        if judged is not None and judged.reason not in ("wrong_product", "wrong_key"):
            self._save(None, last_seen)

    def _judge(
        self, receipt: Optional[str], license_key: str, now: datetime, last_seen: Optional[datetime] = None
    ) -> Optional[ReceiptCheck]:
        # To a check with a key, the receipt of a trial is none. It stays until a license has one.
        if receipt is None or is_of_trial(receipt):
            return None
        return self._verify(receipt, license_key, now, last_seen)

    def _verify(
        self,
        receipt: str,
        license_key: Optional[str],
        now: datetime,
        last_seen: Optional[datetime],
        trial: bool = False,
    ) -> ReceiptCheck:
        return verify_receipt(
            receipt,
            self._keys,
            self._product_id,
            license_key,
            device_id=self._device_id,
            now=now,
            last_seen=last_seen,
            trial=trial,
        )

    # Trials.

    def _try_out(self) -> Check:
        try:
            fetched, error = self._service.trial(self._device_id), ServiceError("the receipt cannot be verified")
        except ServiceError as refusal:
            fetched, error = None, refusal
        return self._in_turn(lambda *stored: self._tried(fetched, error, *stored))

    def _tried(
        self,
        fetched: Optional[str],
        error: ServiceError,
        stored: Optional[str],
        last_seen: Optional[datetime],
        now: datetime,
    ) -> Check:
        started = self._judge_trial(fetched, now)
        if started is not None and started.verdict == "valid":
            self._save(fetched, now)
            return _running("online", started, now, now)
        own = self._judge_trial(stored, now, last_seen)
        if error.code in ("trial_ended", "trial_not_offered"):
            if own is not None:
                self._save(None, last_seen)
            return _allowing(Check("invalid", "online", error.code), now)
        if own is None or own.entitlement is None:
            return _no_verdict(own, error, now)
        seen = _latest(now, last_seen)
        self._save(stored, seen)
        if own.verdict == "valid":
            return _running("receipt", own, now, seen)
        reason = "trial_ended" if own.reason == "expired" else own.reason
        return _allowing(Check("invalid", "receipt", reason, own.entitlement), now)

    def _judge_trial(
        self, receipt: Optional[str], now: datetime, last_seen: Optional[datetime] = None
    ) -> Optional[ReceiptCheck]:
        if receipt is None or not is_of_trial(receipt):
            return None
        return self._verify(receipt, None, now, last_seen, trial=True)

    # What is stored.

    def _load(self) -> "tuple[Optional[str], Optional[datetime]]":
        try:
            stored = object_in((self._storage.load() or "").encode()) or {}
            version, receipt, seen = stored["version"], stored["receipt"], stored["lastSeen"]
            if version is True or version != 1 or not isinstance(receipt, (str, type(None))):
                return None, None
            return receipt, None if seen is None else instant(seen)
        except Exception:
            return None, None  # costs offline days only

    def _save(self, receipt: Optional[str], last_seen: Optional[datetime]) -> None:
        seen = None if last_seen is None else iso(last_seen)
        with suppress(Exception):  # costs offline days only
            self._storage.save(json.dumps({"version": 1, "receipt": receipt, "lastSeen": seen}))


def _allowing(check: Check, now: datetime) -> Check:
    """Add what the license allows now, which is nothing unless it is valid, and when to check again."""
    is_valid = check.verdict == "valid"
    entitlement = dict(check.entitlement or {})
    features, device_limit = entitlement.get("features", {}), entitlement.get("deviceLimit")
    if not is_valid:
        features, device_limit = {}, None
        entitlement = {name: each for name, each in entitlement.items() if name not in ("features", "deviceLimit")}
    shown = None if check.entitlement is None else entitlement
    next_check = now + (DAY if is_valid and check.source == "online" else HOUR)
    if check.offline_until is not None:
        next_check = min(next_check, check.offline_until)
    return changed(check, entitlement=shown, features=features, device_limit=device_limit, next_check=next_check)


def _running(source: str, judged: ReceiptCheck, now: datetime, latest: datetime) -> Check:
    trial = Trial(judged.expires_at, -((latest - judged.expires_at) // DAY))
    check = Check("valid", source, None, judged.entitlement, offline_until=judged.expires_at, trial=trial)
    return _allowing(check, now)


def _ended(source: str, entitlement: dict, now: datetime) -> Check:
    return _allowing(Check("invalid", source, "updates_ended", entitlement), now)


def _no_verdict(judged: Optional[ReceiptCheck], error: Exception, now: datetime) -> Check:
    reason = "none" if judged is None else judged.reason
    return _allowing(Check("unavailable", receipt=reason, error=error), now)


def _named(members: Mapping[str, Any], *names: str) -> dict:
    return {name: members[name] for name in names if members.get(name) is not None}


def _latest(now: datetime, last_seen: Optional[datetime]) -> datetime:
    return max(now, last_seen or now)
