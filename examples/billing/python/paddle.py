# Makes events for the handler of the notifications of Paddle Billing.
import json, time
from vendor import event, is_same, read, setting, sign, tier_of

secret, key = setting("PADDLE_SECRET"), setting("PADDLE_KEY")
api = setting("PADDLE_API", "https://api.paddle.com")
not_taken = ("pending_approval", "rejected", "reversed")  # statuses of adjustments that take no money
harmless = {"part", "credit", "credit_reverse", "chargeback_reverse", "chargeback_warning_reverse"}

def events_of(headers, body, url):
    parts = [part.partition("=") for part in headers.get("paddle-signature", "").split(";")]
    sent = next((value for name, _, value in parts if name == "ts"), "")
    is_recent = sent.isdecimal() and abs(time.time() - int(sent)) < 60
    expected = sign(f"{sent}:{body}", secret)
    if not is_recent or not any(name == "h1" and is_same(value, expected) for name, _, value in parts):
        return None
    delivery = json.loads(body)
    type, data = delivery["event_type"], delivery["data"]
    if type.startswith("subscription."):
        return of_subscription(type, data["id"])
    if type == "transaction.completed":
        return of_sale(data["id"], True)
    return of_sale(data["transaction_id"], False, data["action"]) if type.startswith("adjustment.") else []

def names_of(sale):
    return [name for item in sale["items"] for name in (item["price"]["id"], item["price"]["product_id"])]

def of_subscription(type, subscription_id):
    state = read(f"{api}/subscriptions/{subscription_id}", key)["data"]
    tier = tier_of(*names_of(state))
    if not tier:
        return []
    id, status, cycle = f"paddle_{subscription_id}", state["status"], state["billing_cycle"]
    end = (state["current_billing_period"] or {}).get("ends_at")
    interval = {"billingInterval": cycle["interval"], "billingIntervalCount": cycle["frequency"]}
    terms = {**tier, **interval, "id": id, "currentPeriodEnd": end}
    updated = event("updated", **{member: value for member, value in terms.items() if member != "productId"})
    paid = event("paid", id=id, currentPeriodEnd=end, grace=tier.get("grace"))
    is_ending = (state["scheduled_change"] or {}).get("action") == "cancel"
    def around(*events):  # a period cannot be renewed once its cancellation is scheduled
        return [*events, event("canceled", id=id)] if is_ending else [event("resumed", id=id), *events]
    lifted = [event("reinstated", id=id)] if type == "subscription.resumed" else []
    changes = {
        "trialing": around(updated),
        "active": [*around(paid, updated), *lifted],
        "past_due": [event("payment_failed", id=id)],
        "canceled": [event("deleted", id=id)],
    }.get(status, [event("suspended", id=id)])  # paused, and what Paddle may add
    if type != "subscription.created":
        return changes
    if status == "canceled":
        return []
    email = read(f"{api}/customers/{state['customer_id']}", key)["data"]["email"]
    standing = status if status in ("trialing", "past_due") else None
    return [event("created", **terms, email=email, status=standing), *changes]

def of_sale(sale_id, is_new, action=""):
    sale = read(f"{api}/transactions/{sale_id}?include=customer,adjustments", key)["data"]
    tier = tier_of(*names_of(sale))
    if not tier:
        return []
    id = f"paddle_{sale['subscription_id'] or sale_id}"
    taken = [adjustment for adjustment in sale.get("adjustments", []) if adjustment["status"] not in not_taken]
    is_part = lambda a: a["action"] == "refund" and a["type"] in ("partial", "tax", "proration")
    fates = {"part" if is_part(adjustment) else adjustment["action"] for adjustment in taken}
    if is_new:
        is_paid = sale["status"] in ("paid", "completed") and not sale["subscription_id"] and fates <= harmless
        terms = {**tier, "billingInterval": "one_time", "grace": None}  # a purchase has no grace
        return [event("created", id=id, email=sale["customer"]["email"], **terms)] if is_paid else []
    if not fates <= harmless:
        return [event("deleted" if "refund" in fates and not sale["subscription_id"] else "suspended", id=id)]
    is_won = action.startswith("chargeback") and action.endswith("_reverse")
    return [event("reinstated", id=id)] if is_won else []
