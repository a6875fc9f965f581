# Makes events for the handler of the pings of Gumroad.
import calendar
from datetime import datetime
from urllib.parse import parse_qs, quote, urlsplit
from vendor import event, is_same, read, setting, tier_of

secret, key = setting("GUMROAD_SECRET"), setting("GUMROAD_KEY")
api = setting("GUMROAD_API", "https://api.gumroad.com/v2")
recurrences = {
    "monthly": ("month", 1), "quarterly": ("month", 3), "biannually": ("month", 6),
    "yearly": ("year", 1), "every_two_years": ("year", 2), "every_three_years": ("year", 3),
}

def read_sale(id):
    return read(f"{api}/sales/{quote(id, safe='')}", key)["sale"]

def is_taken(sale):
    return sale["disputed"] and not sale["dispute_won"]

def events_of(headers, body, url):
    if not is_same(parse_qs(urlsplit(url).query).get("token", [""])[0], secret):
        return None
    ping = {name: values[0] for name, values in parse_qs(body).items()}
    name = ping.get("resource_name", "sale")
    sale = read_sale(ping["sale_id"]) if "sale_id" in ping else None
    member_id = sale.get("subscription_id") if sale else ping.get("subscription_id")
    if not member_id:
        return of_purchase(name, sale) if sale else []
    return of_membership(name, sale, read(f"{api}/subscribers/{quote(member_id, safe='')}", key)["subscriber"])

def id_of(sale):
    """The id that an import gives, too."""
    return f"gumroad_{sale['id'].rstrip('=')}"

def tier_of_sale(sale):
    product, variant = sale["product_id"], ", ".join((sale.get("variants") or {}).values())
    return tier_of(*([f"{product} ({variant})"] if variant else []), product)

def of_purchase(name, sale):
    tier, id = tier_of_sale(sale), id_of(sale)
    if not tier or not sale.get("license_key"):
        return []
    if name == "sale":
        terms = {**tier, "id": id, "licenseKey": sale["license_key"], "billingInterval": "one_time", "grace": None}
        return [] if sale.get("refunded") or is_taken(sale) else [event("created", **terms)]
    if sale.get("refunded") or is_taken(sale):
        return [event("deleted" if sale.get("refunded") else "suspended", id=id)]
    return [event("reinstated", id=id)] if name == "dispute_won" else []

def of_membership(name, sale, member):
    sales = (read_sale(sale_id) for sale_id in member["purchase_ids"])
    first = next(sale for sale in sales if not sale.get("recurring_charge"))
    tier, id, status = tier_of_sale(sale or first), id_of(first), member["status"]
    if not tier or not first.get("license_key"):
        return []
    is_installments = tier.get("billingInterval") == "one_time"
    if status == "fixed_subscription_period_ended" and is_installments:
        return []  # all is paid
    if status == "pending_failure":
        return [event("payment_failed", id=id)]
    if status not in ("alive", "pending_cancellation"):
        return [event("suspended", id=id)]
    if sale and (sale.get("refunded") or is_taken(sale)):
        return [event("suspended", id=id)]
    if name in ("dispute_won", "subscription_restarted"):
        return [event("reinstated", id=id)]
    if name != "sale":
        return []
    license_key, is_first = first["license_key"], sale["id"] == first["id"]
    if is_installments:
        return [event("created", **tier, id=id, licenseKey=license_key)] if is_first else []
    interval, count = recurrences[member["recurrence"]]
    trial_end, start = member["free_trial_ends_at"], sale["created_at"]
    is_trial = is_first and trial_end is not None and trial_end > start
    end = trial_end if is_trial else later(start, interval, count)
    period = {"id": id, "billingInterval": interval, "billingIntervalCount": count, "currentPeriodEnd": end}
    if is_first:
        terms = {**tier, **period, "currentPeriodStart": start, "status": "trialing" if is_trial else None}
        return [event("created", **terms, licenseKey=license_key)]
    terms = {member: value for member, value in tier.items() if member != "productId"}
    paid = event("paid", id=id, currentPeriodEnd=end, grace=tier.get("grace"))
    return [event("resumed", id=id), paid, event("updated", **terms, **period)]

def later(instant, interval, count):
    """The same day of a later month, or the last one of a shorter month."""
    start = datetime.fromisoformat(instant.replace("Z", "+00:00"))
    years, month = divmod(start.month - 1 + (12 if interval == "year" else 1) * count, 12)
    year = start.year + years
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day).isoformat()
