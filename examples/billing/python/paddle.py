# Makes events for the handler of the notifications of Paddle Billing.
import json, time
from vendor import event, is_same, portion, read, setting, sign, tier_of

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
    changes = [*changes, sold(id, state.get("custom_data"), f"subscription_id={subscription_id}")]
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
    subscription_id = sale["subscription_id"]
    id = f"paddle_{subscription_id or sale_id}"
    query = f"subscription_id={subscription_id}" if subscription_id else f"id={sale_id}"
    return [*changes_of(sale, tier, id, is_new, action), sold(id, sale.get("custom_data"), query)]

def changes_of(sale, tier, id, is_new, action):
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

def sold(id, custom_data, query):
    return event("sold", id=id, via=(custom_data or {}).get("latchkey_via"), read=lambda: paid_for(query))

def paid_for(query):
    """The payments in the currency of the oldest."""
    sales, order = [], "order_by=created_at[ASC]&per_page=30"
    next = f"{api}/transactions?{query}&status=paid,completed&include=adjustments&{order}"
    while next:
        page = read(next, key)
        sales += page["data"]
        pagination = page["meta"]["pagination"]
        next = pagination["next"] if pagination["has_more"] else None
    if not sales:
        return None
    first, currency = sales[0], sales[0]["currency_code"]
    payments = [payment_of(sale) for sale in sales if sale["currency_code"] == currency]
    return {"currency": currency.lower(), "attributedAt": first["created_at"], "payments": payments}

def payment_of(sale):
    """What was paid by card and not by credit, without tax, and what of it is kept."""
    total, tax, paid = (int(sale["details"]["totals"][name]) for name in ("total", "tax", "grand_total"))
    amount = portion(paid, total - tax, total)
    taken = [adjustment["totals"] for adjustment in sale.get("adjustments", []) if takes(adjustment)]
    kept = amount - sum(int(totals["total"]) - int(totals["tax"]) for totals in taken)
    paid_at = sale.get("billed_at") or sale["created_at"]
    return {"id": sale["id"], "paidAt": paid_at, "amount": amount, "kept": max(kept, 0)}

def takes(adjustment):
    is_harmless = adjustment["action"] in harmless | {"chargeback_warning"}
    return adjustment["status"] not in not_taken and not is_harmless
