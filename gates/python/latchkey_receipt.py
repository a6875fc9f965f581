"""Verifies receipts of Latchkey, in Python 3.9 and later: copy this file into your app. It needs `cryptography`.

    result = verify_receipt(receipt, KEYS, "sketchpad", license_key)
    if result.verdict == "valid":
        print(result.entitlement["tierId"], result.expires_at)

`KEYS` is what `latchkey signing-key export` prints, parsed and shipped inside the app. An app that fetches its keys
trusts whoever answers. `reason` says why a text is no receipt for this license, the first that applies:

    malformed            it is no receipt, or not the one spelling of it
    unknown_signing_key  none of `KEYS` has signed it
    bad_signature        it was changed
    wrong_product        it is for another product
    wrong_key            it is for another license key
    wrong_device         it is for another device
    clock_set_back       the clock is more than a day behind `last_seen`, or behind the issue of the receipt
    expired              it is over

The last two have the entitlement, because the receipt is genuine. gates/cases.json is what this file is judged by.
"""

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Optional

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

DAY = timedelta(days=1)
MAX_RECEIPT = 16_384
MAX_LICENSE_KEY = 120
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LAST_SECOND = 253_402_300_799  # the end of the year 9999, which is the last of datetime
LICENSE_TYPE = "license-receipt+jwt"
TRIAL_TYPE = "trial-receipt+jwt"

# White space as the service knows it. That of str.strip has four control characters more, and lacks U+FEFF.
WHITE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
QUOTES = "'\"`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a"
UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass(frozen=True)
class ReceiptCheck:
    """The result of a verification. The times are set if it is valid."""

    verdict: str  # valid, invalid
    reason: Optional[str] = None
    entitlement: Optional[dict] = None
    mode: Optional[str] = None  # online, offline, trial
    issued_at: Optional[datetime] = None
    refresh_after: Optional[datetime] = None
    expires_at: Optional[datetime] = None


def verify_receipt(
    receipt: Any,
    keys: Mapping[str, Any],
    product_id: str,
    license_key: Optional[str] = None,
    *,
    device_id: Optional[str] = None,
    now: Optional[datetime] = None,
    last_seen: Optional[datetime] = None,
    trial: bool = False,
) -> ReceiptCheck:
    """Verify a receipt without any request. White space and invisible characters in it do not count.

    With `license_key` it must be for that license, in any spelling that the service accepts; with `device_id` for that
    device. With `trial` it must be the receipt of a trial, otherwise that of a license.
    """
    now = now or datetime.now(timezone.utc)
    parts = unfolded(receipt).split(".") if isinstance(receipt, str) else []
    kid = _kid(parts, TRIAL_TYPE if trial else LICENSE_TYPE)
    if kid is None:
        return ReceiptCheck("invalid", "malformed")
    key = _key_named(kid, keys)
    if key is None:
        return ReceiptCheck("invalid", "unknown_signing_key")
    if not _is_signed(key, f"{parts[0]}.{parts[1]}".encode(), _decoded(parts[2]) or b""):
        return ReceiptCheck("invalid", "bad_signature")
    claims = object_in(_decoded(parts[1]) or b"") or {}
    issued, end, entitlement = claims.get("iat"), claims.get("exp"), claims.get("entitlement")
    if not (_is_second(issued) and _is_second(end) and is_entitlement(entitlement)):
        return ReceiptCheck("invalid", "malformed")
    if claims.get("aud") != product_id:
        return ReceiptCheck("invalid", "wrong_product")
    if license_key is not None and claims.get("key") not in _digests(license_key):
        return ReceiptCheck("invalid", "wrong_key")
    if device_id is not None and not _is_for_device(claims, device_id):
        return ReceiptCheck("invalid", "wrong_device")
    issued_at, expires_at = EPOCH + timedelta(seconds=issued), EPOCH + timedelta(seconds=end)
    latest = max(now, last_seen or now, issued_at)
    if latest - now > DAY:
        return ReceiptCheck("invalid", "clock_set_back", entitlement)
    if latest >= expires_at:
        return ReceiptCheck("invalid", "expired", entitlement)
    mode = claims["mode"] if claims.get("mode") in ("offline", "trial") else "online"
    half = issued_at + (expires_at - issued_at) / 2
    return ReceiptCheck("valid", None, entitlement, mode, issued_at, half, expires_at)


def is_of_trial(receipt: str) -> bool:
    """Report whether a text says that it is the receipt of a trial. Its signature is not verified."""
    return _kid(unfolded(receipt).split("."), TRIAL_TYPE) is not None


def unfolded(receipt: str) -> str:
    """A receipt without white space and invisible characters, such as those with which a mail program folds a line."""
    return "".join(each for each in receipt if each != "\u0085" and not _is_unseen(each))


def sent_key(typed: Any) -> Any:
    """A license key as it is sent: trimmed, and one that is too long without all that is unseen."""
    if not isinstance(typed, str):
        return typed
    text = typed.strip(WHITE)
    return _folded(text) if len(text) > MAX_LICENSE_KEY else text


def iso(instant: datetime) -> str:
    """An instant in ISO 8601, with milliseconds."""
    return instant.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant(text: str) -> datetime:
    """The instant that `iso` has made a text of. Raises `ValueError` for other texts."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


def covers(entitlement: Mapping[str, Any], released_at: Optional[datetime]) -> bool:
    """Report whether a license covers a build that was released then: its updates had not ended before."""
    try:
        return released_at is None or released_at <= instant(entitlement["updatesUntil"])
    except (KeyError, ValueError):
        return True  # no end


def object_in(data: bytes) -> Optional[dict]:
    """The JSON object that bytes are; None for any others."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_entitlement(value: Any) -> bool:
    """Report whether a value has the members of an entitlement, in a receipt or in an answer of the service."""
    if not isinstance(value, dict):
        return False
    texts = [value.get(each) for each in ("id", "productId", "status", "tierId", "tierName", "billingInterval")]
    texts += [value.get(each, "") for each in ("currentPeriodEnd", "accessEndsAt", "updatesUntil")]
    are_texts = all(isinstance(each, str) for each in texts)
    return are_texts and is_device_limit(value.get("deviceLimit")) and are_features(value.get("features", {}))


def is_device_limit(value: Any) -> bool:
    return value is None or is_integer(value)


def are_features(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, (bool, int, float, str)) for each in value.values())


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # True is an int, and no number in JSON


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not in JSON")


def _kid(parts: "list[str]", wanted: str) -> Optional[str]:
    """The key that a receipt names; None unless it is three parts and its header exactly that of such a receipt."""
    is_short = sum(len(each) + 1 for each in parts) - 1 <= MAX_RECEIPT
    if len(parts) != 3 or not is_short or None in [_decoded(each) for each in parts]:
        return None
    raw = _decoded(parts[0]) or b""
    header = object_in(raw) or {}
    kid = header.get("kid")
    if header.get("alg") != "ES256" or header.get("typ") != wanted or not isinstance(kid, str) or len(header) != 3:
        return None
    # A longer text has a member twice, or white space.
    spelled = json.dumps(header, separators=(",", ":"), ensure_ascii=False)
    return kid if spelled.encode("utf-8", "replace") == raw else None


def _decoded(text: str) -> Optional[bytes]:
    """Decode base64url; None for an empty text and for every spelling but the one that encoding the bytes gives."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if _encoded(data) == text else None


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _digest(text: str) -> str:
    return _encoded(hashlib.sha256(text.encode("utf-8", "replace")).digest())


def _key_named(kid: str, keys: Mapping[str, Any]) -> Optional[ec.EllipticCurvePublicKey]:
    for key in keys["keys"]:
        is_ours = key.get("crv") == "P-256" and key.get("alg", "ES256") == "ES256" and key.get("use", "sig") == "sig"
        if key.get("kid") == kid and is_ours:
            try:
                x, y = (int.from_bytes(_decoded(key[each]) or b"", "big") for each in ("x", "y"))
                return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
            except (KeyError, ValueError):
                return None
    return None


def _is_signed(key: ec.EllipticCurvePublicKey, content: bytes, signature: bytes) -> bool:
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        key.verify(utils.encode_dss_signature(r, s), content, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def _is_second(value: Any) -> bool:
    return is_integer(value) and 0 <= value <= LAST_SECOND


def _is_for_device(claims: dict, device_id: str) -> bool:
    """An online receipt without a device is one that any device can fetch."""
    if "device" not in claims:
        return claims.get("mode") == "offline"
    named = f"{claims['entitlement']['id']}\n{device_id.strip(WHITE)}"
    return claims["device"] == f"dev_{_digest(named)[:22]}"


def _digests(license_key: str) -> "set[str]":
    """The digests of the spellings of a key that the service accepts."""
    texts = [license_key.strip(WHITE), _folded(license_key)]
    return {_digest(each) for text in texts for each in (text, _issued(text))}


def _is_unseen(character: str) -> bool:
    return character in WHITE or unicodedata.category(character) == "Cf"


def _folded(raw: str) -> str:
    """A key without what people and programs do to it on its way."""
    seen = "".join(each for each in raw if not _is_unseen(each))
    narrow = "".join(chr(ord(each) - 0xFEE0) if "\uff01" <= each <= "\uff5e" else each for each in seen)
    is_hyphen = {each for each in narrow if each == "\u2212" or unicodedata.category(each) == "Pd"}
    text = unicodedata.normalize("NFC", "".join("-" if each in is_hyphen else each for each in narrow))
    bare = text.strip(QUOTES)
    return bare if bare and text[0] in QUOTES and text[-1] in QUOTES else text


def _issued(text: str) -> str:
    """In a key of the issued form, case, spaces and hyphens do not count, O is 0, and I and L are 1."""
    # Case of A to Z alone: in Unicode, other letters have one of these as their upper case.
    bare = "".join(each for each in text if each not in WHITE and each != "-").translate(UPPER)
    candidate = bare[:2] + bare[2:].translate(str.maketrans("OIL", "011"))
    return candidate if re.fullmatch(r"LK[0-9A-HJKMNP-TV-Z]{30}", candidate) else text
