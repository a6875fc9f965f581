# Makes events for the handler of the webhooks of Lemon Squeezy.
import json
from vendor import event, is_same, read, setting, sign, tier_of

secret, key = setting("LEMONSQUEEZY_SECRET"), setting("LEMONSQUEEZY_KEY")
api = setting("LEMONSQUEEZY_API", "https://api.lemonsqueezy.com/v1")

def events_of(headers, body, url):
    if not is_same(sign(body, secret), headers.get("x-signature", "")):
        return None
    delivery = json.loads(body)
    name, data = delivery["meta"]["event_name"], delivery["data"]
    if data["type"] == "orders":
        return of_order(name, data["id"])
    if data["type"] == "subscriptions":
        return of_subscription(name, data["id"])
    if data["type"] != "subscription-invoices":
        return []
    subscription_id, status = data["attributes"]["subscription_id"], data["attributes"]["status"]
    if name != "subscription_payment_refunded":
        return of_subscription(name, subscription_id)
    return [] if status == "partial_refund" else [event("suspended", id=f"ls_sub_{subscription_id}")]

def of_order(name, order_id):
    order = read(f"{api}/orders/{order_id}", key)["data"]["attributes"]
    tier = tier_of(order["first_order_item"]["variant_id"], order["first_order_item"]["product_id"])
    if not tier or tier.get("billingInterval") != "one_time":
        return []  # a subscription has events of its own
    id, status = f"ls_order_{order_id}", order["status"]
    if name == "order_created":
        return [event("created", id=id, email=order["user_email"], **tier)] if status == "paid" else []
    if status in ("paid", "partial_refund", "pending", "failed"):
        return []
    return [event("deleted" if status in ("refunded", "fraudulent") else "suspended", id=id)]

def of_subscription(name, subscription_id):
    state = read(f"{api}/subscriptions/{subscription_id}", key)["data"]["attributes"]
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
    if name != "subscription_created":
        return changes
    return [] if status == "expired" else [event("created", **created), *changes]
