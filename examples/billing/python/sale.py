# Keeps the sale of an affiliate in step with what the vendor says was paid. README.md says how.
import re, urllib.error

form = re.compile("(?:via_)?(?!via(?:_|$))([a-z0-9][a-z0-9-]{1,28}[a-z0-9])(?:_([A-Za-z0-9-]{1,128}))?")

def sell(admin, id, via, read):
    """Puts all payments as the sale of the affiliate who has it, else of the one whom `via` names. `read` reads them
    from the vendor, None before the first. After a change it reads again: an older reading may have been put late."""
    known, named = found(admin, "GET", f"{id}/sale"), form.fullmatch(str(via or ""))
    if not known and not named:
        return
    while paid := read():
        begun = {"attributedAt": paid.pop("attributedAt")}
        def put(**seller):
            return found(admin, "PUT", f"{id}/sale", {**paid, **seller})
        if known:
            sale = put(handle=known["handle"])
        else:
            handle, slug = named.groups()
            sale = put(handle=handle, slug=slug, **begun) or put(handle=handle, **begun)
        if not sale or (known and known["revision"] == sale["revision"]):
            return
        known = sale

def found(admin, *request):
    """The answer; None for an affiliate, promotion, entitlement or sale that does not exist."""
    try:
        return admin(*request)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise
