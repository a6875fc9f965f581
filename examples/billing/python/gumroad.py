# Makes events for the handler of the pings of Gumroad.
import calendar, re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from urllib.parse import parse_qs, quote, urlsplit
from vendor import event, is_same, portion, read, setting, tier_of

secret, key = setting("GUMROAD_SECRET"), setting("GUMROAD_KEY")
api = setting("GUMROAD_API", "https://api.gumroad.com/v2")
recurrences = {
    "monthly": ("month", 1), "quarterly": ("month", 3), "biannually": ("month", 6),
    "yearly": ("year", 1), "every_two_years": ("year", 2), "every_three_years": ("year", 3),
}

def read_sale(id):
    return read(f"{api}/sales/{quote(id, safe='')}", key)["sale"]

def read_member(id):
    return read(f"{api}/subscribers/{quote(id, safe='')}", key)["subscriber"]

def is_taken(sale):
    return sale["disputed"] and not sale["dispute_won"]

def events_of(headers, body, url):
    if not is_same(parse_qs(urlsplit(url).query).get("token", [""])[0], secret):
        return None
    ping = {name: values[0] for name, values in parse_qs(body).items()}
    name = ping.get("resource_name", "sale")
    sale = read_sale(ping["sale_id"]) if "sale_id" in ping else None
    member_id = sale.get("subscription_id") if sale else ping.get("subscription_id")
    if not member_id and not sale:
        return []
    member = read_member(member_id) if member_id else None
    first = first_of(member["purchase_ids"]) if member else sale
    tier = tier_of_sale(sale or first)
    if not tier or not first.get("license_key"):
        return []
    events = of_membership(name, tier, sale, first, member) if member else of_purchase(name, tier, sale)
    via = ping.get("url_params[via]")
    return [*events, event("sold", id=id_of(first), via=via, read=lambda: paid_for(member_id, first))]

def first_of(sale_ids):
    return next(sale for sale in map(read_sale, sale_ids) if not sale.get("recurring_charge"))

def id_of(sale):
    """The id that an import gives, too."""
    return f"gumroad_{sale['id'].rstrip('=')}"

def tier_of_sale(sale):
    product, variant = sale["product_id"], ", ".join((sale.get("variants") or {}).values())
    return tier_of(*([f"{product} ({variant})"] if variant else []), product)

def of_purchase(name, tier, sale):
    id = id_of(sale)
    if name == "sale":
        terms = {**tier, "id": id, "licenseKey": sale["license_key"], "billingInterval": "one_time", "grace": None}
        return [] if sale.get("refunded") or is_taken(sale) else [event("created", **terms)]
    if sale.get("refunded") or is_taken(sale):
        return [event("deleted" if sale.get("refunded") else "suspended", id=id)]
    return [event("reinstated", id=id)] if name == "dispute_won" else []

def of_membership(name, tier, sale, first, member):
    id, status = id_of(first), member["status"]
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

def paid_for(member_id, first):
    """What was paid, in US cents, without the tax that Gumroad adds. The sale that begins a trial charges nothing."""
    member = read_member(member_id) if member_id else {"purchase_ids": [first["id"]]}
    with ThreadPoolExecutor() as pool:
        sales = list(pool.map(read_sale, member["purchase_ids"]))
    is_trial = (member.get("free_trial_ends_at") or "") > first["created_at"]
    charged = [sale for sale in sales if sale["id"] != first["id"] or not is_trial]
    payments = [
        {"id": id_of(sale), "paidAt": sale["created_at"], "amount": sale["price"], "kept": kept_of(sale)}
        for sale in charged
    ]
    return {"currency": "usd", "attributedAt": first["created_at"], "payments": payments}

def kept_of(sale):
    if sale.get("refunded") or is_taken(sale):
        return 0
    if not sale.get("partially_refunded"):
        return sale["price"]
    left, total = cents_in(sale["amount_refundable_in_currency"]), cents_in(sale["formatted_total_price"])
    return portion(sale["price"], left, total)

def cents_in(price):
    """123450 for `1,234.50`, `€1,234.50` and `€1,234.50 a month`."""
    return round(100 * float(re.search(r"\d[\d,.]*", price)[0].replace(",", "")))

def later(instant, interval, count):
    """The same day of a later month, or the last one of a shorter month."""
    start = datetime.fromisoformat(instant.replace("Z", "+00:00"))
    years, month = divmod(start.month - 1 + (12 if interval == "year" else 1) * count, 12)
    year = start.year + years
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day).isoformat()
