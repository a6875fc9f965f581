"""The session of an operator's Python program with the client that openapi-python-client makes."""

import datetime
import json
import os

from latchkey_administration_client import AuthenticatedClient
from latchkey_administration_client.api.entitlements import list_entitlements, put_entitlement, renew_entitlement
from latchkey_administration_client.api.licenses import find_by_license_key
from latchkey_administration_client.models import (
    BillingInterval,
    EntitlementPage,
    EntitlementStatus,
    ErrorBody,
    ErrorCode,
    FullEntitlementAnswer,
    GrantAnswer,
    GrantRequest,
    LicenseSearch,
    RenewalRequest,
)

demo = json.loads(os.environ["DEMO"])  # what `demo --json` prints
operator = AuthenticatedClient(base_url=demo["adminAddress"], token=demo["operatorKey"])

terms = GrantRequest(
    product_id="sketchpad",
    tier_id="pro",
    tier_name="Pro",
    billing_interval=BillingInterval.MONTH,
    reference="python-1",
)
granted = put_entitlement.sync_detailed("ent_python", client=operator, body=terms)
assert granted.status_code == 201 and isinstance(granted.parsed, GrantAnswer)
assert granted.parsed.data.entitlement.status is EntitlementStatus.ACTIVE
repeated = put_entitlement.sync_detailed("ent_python", client=operator, body=terms)
assert repeated.status_code == 200 and isinstance(repeated.parsed, GrantAnswer)
assert repeated.parsed.data.license_key is None

found = find_by_license_key.sync(client=operator, body=LicenseSearch(license_key=demo["licenseKey"]))
assert isinstance(found, FullEntitlementAnswer) and found.data.id == demo["entitlementId"]

page = list_entitlements.sync(client=operator, product="sketchpad", reference="python-1", limit=5)
assert isinstance(page, EntitlementPage) and page.meta.next_ is None
assert [entitlement.id for entitlement in page.data] == ["ent_python"]

end = datetime.datetime(2100, 1, 1, tzinfo=datetime.timezone.utc)
unknown = renew_entitlement.sync_detailed(
    "ent_unknown", client=operator, body=RenewalRequest(current_period_end=end)
)
assert isinstance(unknown.parsed, ErrorBody) and not unknown.parsed.success
assert ErrorCode(unknown.headers["Error-Code"]) is ErrorCode.ENTITLEMENT_NOT_FOUND
