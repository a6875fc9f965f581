package gate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	day           = 24 * time.Hour
	maxReceipt    = 16384
	maxLicenseKey = 120
	lastSecond    = 8.64e12
	licenseType   = "license-receipt+jwt"
	trialType     = "trial-receipt+jwt"
	// White space as the service knows it: unicode.IsSpace has U+0085, and lacks U+FEFF.
	white = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
		"\u2028\u2029\u202f\u205f\u3000\ufeff"
	quotes = "'\"`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a"
)

// Key is a public key of the JWKS that `latchkey signing-key export` prints. Ship the keys inside the app: one that
// fetches them trusts whoever answers.
type Key struct{ Kid, Kty, Crv, X, Y, Alg, Use string }

// Verifier verifies receipts of a product, without any request.
type Verifier struct {
	ProductID string
	Keys      []Key
	DeviceID  string              // the app's own name for its device; "" for receipts of any device
	Normalize func(string) string // norm.NFC.String, if keys that you have imported have accents
}

// Entitlement is what a license gives. Times are ISO 8601, and "" where there is none; DeviceLimit 0 is none.
type Entitlement struct {
	ID               string         `json:"id"`
	ProductID        string         `json:"productId"`
	Status           string         `json:"status"`
	TierID           string         `json:"tierId"`
	TierName         string         `json:"tierName"`
	BillingInterval  string         `json:"billingInterval"`
	CurrentPeriodEnd string         `json:"currentPeriodEnd,omitempty"`
	AccessEndsAt     string         `json:"accessEndsAt,omitempty"`
	UpdatesUntil     string         `json:"updatesUntil,omitempty"`
	DeviceLimit      int            `json:"deviceLimit,omitempty"`
	Features         map[string]any `json:"features,omitempty"` // bool, float64 or string
}

// Covers reports whether a license covers a build that was released then: its updates had not ended before. Every license
// covers a build that does not say, the zero time.
func (e *Entitlement) Covers(releasedAt time.Time) bool {
	end, err := time.Parse(time.RFC3339, e.UpdatesUntil)
	return err != nil || !releasedAt.After(end)
}

// ReceiptOptions says what a receipt must be for.
type ReceiptOptions struct {
	LicenseKey *string   // in any spelling that the service accepts; nil for any license
	Trial      bool      // the receipt of a trial, otherwise that of a license
	Now        time.Time // the clock by default
	LastSeen   time.Time // the latest instant that this machine has seen, against a clock that is set back
}

// ReceiptCheck is what VerifyReceipt found. Reason is "" if the receipt is valid, otherwise the first of these:
//
//	malformed            it is no receipt, or not the one spelling of it
//	unknown_signing_key  none of the keys has signed it
//	bad_signature        it was changed
//	wrong_product        it is for another product
//	wrong_key            it is for another license key
//	wrong_device         it is for another device
//	clock_set_back       the clock is more than a day behind LastSeen, or behind the issue of the receipt
//	expired              it is over
//
// The last two have the entitlement, because the receipt is genuine. Mode is "online", "offline" or "trial".
type ReceiptCheck struct {
	Valid                             bool
	Reason, Mode                      string
	Entitlement                       *Entitlement
	IssuedAt, RefreshAfter, ExpiresAt time.Time
}

// VerifyReceipt verifies a receipt without any request. White space and invisible characters in it do not count.
func (v *Verifier) VerifyReceipt(receipt string, options ReceiptOptions) ReceiptCheck {
	wanted := licenseType
	if options.Trial {
		wanted = trialType
	}
	text, ok := taken(receipt, wanted)
	if !ok {
		return ReceiptCheck{Reason: "malformed"}
	}
	key := keyNamed(text.kid, v.Keys)
	if key == nil {
		return ReceiptCheck{Reason: "unknown_signing_key"}
	}
	if !isSigned(key, text) {
		return ReceiptCheck{Reason: "bad_signature"}
	}
	claims := objectIn(text.payload)
	issued, isIssued := second(claims["iat"])
	end, isEnd := second(claims["exp"])
	entitlement := entitlementOf(claims["entitlement"])
	switch {
	case !isIssued || !isEnd || entitlement == nil:
		return ReceiptCheck{Reason: "malformed"}
	case claims["aud"] != v.ProductID:
		return ReceiptCheck{Reason: "wrong_product"}
	case options.LicenseKey != nil && !v.isDigestOf(*options.LicenseKey, claims["key"]):
		return ReceiptCheck{Reason: "wrong_key"}
	case v.DeviceID != "" && !isForDevice(claims, entitlement.ID, v.DeviceID):
		return ReceiptCheck{Reason: "wrong_device"}
	}
	now := options.Now
	if now.IsZero() {
		now = time.Now()
	}
	known := latest(latest(now, options.LastSeen), issued)
	switch {
	case known.Sub(now) > day:
		return ReceiptCheck{Reason: "clock_set_back", Entitlement: entitlement}
	case !known.Before(end):
		return ReceiptCheck{Reason: "expired", Entitlement: entitlement}
	}
	mode, _ := claims["mode"].(string)
	if mode != "offline" && mode != "trial" {
		mode = "online"
	}
	half := issued.Add(end.Sub(issued) / 2)
	return ReceiptCheck{true, "", mode, entitlement, issued, half, end}
}

// jws is a receipt taken apart. Nothing in it can be trusted before its signature is verified.
type jws struct {
	kid                string
	content            string
	payload, signature []byte
}

// taken takes a receipt apart, if its header is exactly that of a receipt of this type.
func taken(receipt, wanted string) (jws, bool) {
	receipt = unfolded(receipt)
	parts := strings.SplitN(receipt, ".", 4)
	if len(receipt) > maxReceipt || len(parts) != 3 {
		return jws{}, false
	}
	header, payload, signature := decoded(parts[0]), decoded(parts[1]), decoded(parts[2])
	members := objectIn(header)
	kid, isText := members["kid"].(string)
	// A header of another length has further members, a member twice, or white space.
	length := len(`{"alg":"ES256","kid":"","typ":""}`) + len(kid) + len(wanted)
	isOurs := isText && members["alg"] == "ES256" && members["typ"] == wanted && len(header) == length
	return jws{kid, parts[0] + "." + parts[1], payload, signature}, isOurs && payload != nil && signature != nil
}

// unfolded removes white space and invisible characters, such as those with which a mail program folds a line.
func unfolded(receipt string) string {
	return strings.Map(func(each rune) rune {
		if each == 0x85 || isUnseen(each) {
			return -1
		}
		return each
	}, receipt)
}

func isOfTrial(receipt string) bool {
	_, ok := taken(receipt, trialType)
	return ok
}

func isSigned(key *ecdsa.PublicKey, text jws) bool {
	digest := sha256.Sum256([]byte(text.content))
	if len(text.signature) != 64 {
		return false
	}
	r, s := new(big.Int).SetBytes(text.signature[:32]), new(big.Int).SetBytes(text.signature[32:])
	return ecdsa.Verify(key, digest[:], r, s)
}

// isForDevice reports whether a receipt is for a device. An online one without a device is one that any device can fetch.
func isForDevice(claims map[string]any, entitlementID, deviceID string) bool {
	if device, isSet := claims["device"]; isSet {
		return device == "dev_"+digestOf(entitlementID + "\n" + strings.Trim(deviceID, white))[:22]
	}
	return claims["mode"] == "offline"
}

func keyNamed(kid string, keys []Key) *ecdsa.PublicKey {
	for _, key := range keys {
		isOurs := key.Crv == "P-256" && (key.Alg == "" || key.Alg == "ES256") && (key.Use == "" || key.Use == "sig")
		if key.Kid == kid && isOurs {
			point := slices.Concat([]byte{4}, decoded(key.X), decoded(key.Y))
			public, _ := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
			return public
		}
	}
	return nil
}

// objectIn returns the JSON object that bytes are; nil for any others. A map, because Go matches members of a struct in
// any case.
func objectIn(content []byte) map[string]any {
	var object map[string]any
	if !utf8.Valid(content) || json.Unmarshal(content, &object) != nil {
		return nil
	}
	return object
}

func second(value any) (time.Time, bool) {
	number, isNumber := value.(float64)
	isSecond := isNumber && number >= 0 && number <= lastSecond && number == math.Trunc(number)
	if !isSecond {
		return time.Time{}, false
	}
	return time.Unix(int64(number), 0).UTC(), true
}

// entitlementOf returns nil for what is no entitlement.
func entitlementOf(value any) *Entitlement {
	members, _ := value.(map[string]any)
	own := &Entitlement{}
	for name, field := range map[string]*string{
		"id": &own.ID, "productId": &own.ProductID, "status": &own.Status,
		"tierId": &own.TierID, "tierName": &own.TierName, "billingInterval": &own.BillingInterval,
	} {
		text, isText := members[name].(string)
		if !isText {
			return nil
		}
		*field = text
	}
	for name, field := range map[string]*string{
		"currentPeriodEnd": &own.CurrentPeriodEnd, "accessEndsAt": &own.AccessEndsAt, "updatesUntil": &own.UpdatesUntil,
	} {
		text, isText := members[name].(string)
		if _, isSet := members[name]; isSet && !isText {
			return nil
		}
		*field = text
	}
	limit, isLimit := deviceLimitOf(members["deviceLimit"])
	features, areFeatures := featuresIn(members)
	if !isLimit || !areFeatures {
		return nil
	}
	own.DeviceLimit, own.Features = limit, features
	return own
}

func deviceLimitOf(value any) (int, bool) {
	number, isNumber := value.(float64)
	return int(number), value == nil || isNumber && number == math.Trunc(number)
}

func featuresIn(members map[string]any) (map[string]any, bool) {
	value, isSet := members["features"]
	features, isObject := value.(map[string]any)
	for _, each := range features {
		switch each.(type) {
		case bool, float64, string:
		default:
			return nil, false
		}
	}
	return features, isObject || !isSet
}

// decoded decodes base64url; nil for an empty text and for every spelling but the one that encoding the bytes gives.
func decoded(text string) []byte {
	content, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(content) == 0 || base64.RawURLEncoding.EncodeToString(content) != text {
		return nil
	}
	return content
}

func digestOf(text string) string {
	digest := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

// isDigestOf reports whether a digest is that of a spelling of a key that the service accepts.
func (v *Verifier) isDigestOf(licenseKey string, digest any) bool {
	for _, text := range []string{strings.Trim(licenseKey, white), v.folded(licenseKey)} {
		if digestOf(text) == digest || digestOf(issuedSpelling(text)) == digest {
			return true
		}
	}
	return false
}

// sentKey returns a key as it is sent: trimmed, and one that is too long without all that is unseen.
func (v *Verifier) sentKey(typed string) string {
	text := strings.Trim(typed, white)
	if utf8.RuneCountInString(text) > maxLicenseKey {
		return v.folded(text)
	}
	return text
}

// folded returns a key without what people and programs do to it on its way.
func (v *Verifier) folded(raw string) string {
	text := strings.Map(func(each rune) rune {
		switch {
		case isUnseen(each):
			return -1
		case each >= 0xff01 && each <= 0xff5e: // full width, which stands for ASCII
			each -= 0xfee0
		}
		if each == 0x2212 || unicode.Is(unicode.Pd, each) {
			return '-'
		}
		return each
	}, raw)
	if v.Normalize != nil {
		text = v.Normalize(text)
	}
	left := strings.TrimLeft(text, quotes)
	bare := strings.TrimRight(left, quotes)
	if bare != "" && len(left) < len(text) && len(bare) < len(left) {
		return bare
	}
	return text
}

func isUnseen(each rune) bool {
	return strings.ContainsRune(white, each) || unicode.Is(unicode.Cf, each)
}

var issuedForm = regexp.MustCompile(`^LK[0-9A-HJKMNP-TV-Z]{30}$`)

// issuedSpelling returns the spelling that counts. In a key of the issued form, case, spaces and hyphens do not, O is 0,
// and I and L are 1.
func issuedSpelling(text string) string {
	bare := strings.Map(func(each rune) rune {
		switch {
		case each == '-' || strings.ContainsRune(white, each):
			return -1
		case each >= 'a' && each <= 'z': // alone: in Unicode, other letters have one of A to Z as their upper case
			return each - 'a' + 'A'
		}
		return each
	}, text)
	if rest, isOurs := strings.CutPrefix(bare, "LK"); isOurs {
		candidate := "LK" + strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(rest)
		if issuedForm.MatchString(candidate) {
			return candidate
		}
	}
	return text
}

func latest(now, lastSeen time.Time) time.Time {
	if lastSeen.After(now) {
		return lastSeen
	}
	return now
}
