"""The session of a Python program with the client that openapi-python-client makes."""

import json
import os

from latchkey_client import AuthenticatedClient, Client
from latchkey_client.api.entitlements import cancel_entitlement, get_entitlement, resume_entitlement
from latchkey_client.api.licenses import verify_license
from latchkey_client.api.marketplace import list_listings
from latchkey_client.models import (
    EntitlementSnapshot,
    EntitlementStatus,
    ErrorBody,
    ErrorCode,
    LicensedEntitlement,
    LicenseVerification,
    LicenseVerificationRequest,
    ListingPage,
    ListingSort,
)

demo = json.loads(os.environ["DEMO"])  # what `demo --json` prints
anyone = Client(base_url=demo["address"])
merchant = AuthenticatedClient(base_url=demo["address"], token=demo["appKey"])
entitlement_id: str = demo["entitlementId"]

verified = verify_license.sync(client=anyone, body=LicenseVerificationRequest(license_key=demo["licenseKey"]))
assert isinstance(verified, LicenseVerification) and verified.valid
assert isinstance(verified.entitlement, LicensedEntitlement)
assert verified.entitlement.status is EntitlementStatus.ACTIVE

page = list_listings.sync(client=anyone, limit=5, sort=ListingSort.NEW, min_commission="20")
assert isinstance(page, ListingPage)
assert (len(page.data), page.meta.limit) == (5, 5)

read = get_entitlement.sync(entitlement_id, client=merchant)
assert isinstance(read, EntitlementSnapshot) and not read.data.cancel_at_period_end

canceled = cancel_entitlement.sync_detailed(entitlement_id, client=merchant, idempotency_key="python-cancel")
assert isinstance(canceled.parsed, EntitlementSnapshot) and canceled.parsed.data.cancel_at_period_end
replayed = cancel_entitlement.sync_detailed(entitlement_id, client=merchant, idempotency_key="python-cancel")
assert (replayed.content, replayed.headers["Idempotent-Replayed"]) == (canceled.content, "true")

resumed = resume_entitlement.sync(entitlement_id, client=merchant, idempotency_key="python-resume")
assert isinstance(resumed, EntitlementSnapshot) and not resumed.data.cancel_at_period_end

unknown = get_entitlement.sync_detailed("ent_unknown", client=merchant)
assert isinstance(unknown.parsed, ErrorBody) and not unknown.parsed.success
assert ErrorCode(unknown.headers["Error-Code"]) is ErrorCode.ENTITLEMENT_NOT_FOUND
