# Makes events for the handler of the webhooks of Lemon Squeezy.
import json
from vendor import event, is_same, portion, read, setting, sign, tier_of

secret, key = setting("LEMONSQUEEZY_SECRET"), setting("LEMONSQUEEZY_KEY")
api = setting("LEMONSQUEEZY_API", "https://api.lemonsqueezy.com/v1")

def events_of(headers, body, url):
    if not is_same(sign(body, secret), headers.get("x-signature", "")):
        return None
    delivery = json.loads(body)
    name, data = delivery["meta"]["event_name"], delivery["data"]
    via = (delivery["meta"].get("custom_data") or {}).get("latchkey_via")
    if data["type"] == "orders":
        return of_order(name, data["id"], via)
    if data["type"] == "subscriptions":
        return of_subscription(name, data["id"], via)
    if data["type"] != "subscription-invoices":
        return []
    subscription_id, status = data["attributes"]["subscription_id"], data["attributes"]["status"]
    if name != "subscription_payment_refunded":
        return of_subscription(name, subscription_id, via)
    suspended = [] if status == "partial_refund" else [event("suspended", id=f"ls_sub_{subscription_id}")]
    return [*suspended, sold_by_subscription(subscription_id, via)]

def read_order(id):
    return read(f"{api}/orders/{id}", key)["data"]["attributes"]

def read_subscription(id):
    return read(f"{api}/subscriptions/{id}", key)["data"]["attributes"]

def of_order(name, order_id, via):
    order = read_order(order_id)
    tier = tier_of(order["first_order_item"]["variant_id"], order["first_order_item"]["product_id"])
    if not tier or tier.get("billingInterval") != "one_time":
        return []  # a subscription has events of its own
    id, status = f"ls_order_{order_id}", order["status"]
    sold = event("sold", id=id, via=via, read=lambda: paid_by_order(order_id))
    if name == "order_created":
        return [event("created", id=id, email=order["user_email"], **tier), sold] if status == "paid" else []
    if status in ("paid", "partial_refund", "pending", "failed"):
        return [sold]
    return [event("deleted" if status in ("refunded", "fraudulent") else "suspended", id=id), sold]

def of_subscription(name, subscription_id, via):
    state = read_subscription(subscription_id)
    tier = tier_of(state["variant_id"], state["product_id"])
    if not tier:
        return []
    terms = {member: value for member, value in tier.items() if member != "productId"}
    id, status, pause = f"ls_sub_{subscription_id}", state["status"], state["pause"] or {}
    is_free = status == "paused" and pause.get("mode") == "free"
    status = "active" if is_free else status
    end = state["trial_ends_at"] if status == "on_trial" else is_free and pause["resumes_at"] or state["renews_at"]
    period = {"id": id, "currentPeriodEnd": state["ends_at"] or end}
    updated = event("updated", **terms, **period)
    renewed = [event("paid", **period, grace=tier.get("grace")), updated]
    is_lifted = name in ("subscription_unpaused", "subscription_payment_recovered")
    standing = {"on_trial": "trialing", "past_due": "past_due"}.get(status)
    created = {**tier, **period, "email": state["user_email"], "status": standing}
    changes = {
        "on_trial": [event("resumed", id=id), updated],
        "active": [event("resumed", id=id), *renewed, *([event("reinstated", id=id)] if is_lifted else [])],
        "cancelled": [*renewed, event("canceled", id=id)],
        "past_due": [event("payment_failed", id=id)],
        "expired": [event("deleted", id=id)],
    }.get(status, [event("suspended", id=id)])  # unpaid, paused, and what Lemon Squeezy may add
    changes = [*changes, sold_by_subscription(subscription_id, via)]
    if name != "subscription_created":
        return changes
    return [] if status == "expired" else [event("created", **created), *changes]

def sold_by_subscription(id, via):
    return event("sold", id=f"ls_sub_{id}", via=via, read=lambda: paid_by_subscription(id))

def paid_by_order(id):
    order = read_order(id)
    return paid_by([{"id": id, "attributes": order}], order["created_at"])

def paid_by_subscription(id):
    created_at, invoices, page, last = read_subscription(id)["created_at"], [], 1, 1
    while page <= last:
        query = f"filter[subscription_id]={id}&page[size]=100&page[number]={page}"
        answer = read(f"{api}/subscription-invoices?{query}", key)
        invoices += answer["data"]
        page, last = page + 1, answer["meta"]["page"]["lastPage"]
    return paid_by(invoices, created_at)

def paid_by(sales, attributed_at):
    """The payments without tax, and what of them is kept, in the currency of the oldest."""
    all = [{**sale["attributes"], "id": str(sale["id"])} for sale in sales]
    paid = [sale for sale in all if sale["status"] not in ("pending", "failed", "void")]
    if not paid:
        return None
    payments, currency = [], paid[-1]["currency"]  # the newest comes first
    for sale in paid:
        total, is_kept = sale["total"], sale["status"] in ("paid", "partial_refund")
        left = total - (sale.get("refunded_amount") or 0) if is_kept else 0
        amount, kept = (portion(gross, total - sale["tax"], total) for gross in (total, left))
        if sale["currency"] == currency:
            payments.append({"id": sale["id"], "paidAt": sale["created_at"], "amount": amount, "kept": kept})
    return {"currency": currency.lower(), "attributedAt": attributed_at, "payments": payments}
