// Package gate is Latchkey's license gate for Go 1.25 and later: copy this folder into your app. It needs the standard
// library alone.
//
//	g := &gate.Gate{
//		Verifier: gate.Verifier{ProductID: "sketchpad", Keys: keys},
//		BaseURL:  "https://licenses.example",
//		Storage:  gate.File("license.json"),
//	}
//	check := g.Check(ctx, licenseKey, "")
//	if check.Verdict == "valid" {
//		start(check.Features["sso"] == true)
//	}
//
// The keys are those that `latchkey signing-key export` prints, shipped inside the app. Check at the start, and again at
// NextCheck. The gate stores one text, with the receipt and the latest instant that the machine has seen. Keep it in a
// folder of the user on this machine that is not synchronized, one for each product.
//
// docs/gates.md has the rules; gates/cases.json is what this package is judged by.
package gate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"
)

const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// Storage keeps one text from start to start; "" is none. Its errors cost offline days only.
type Storage interface {
	Load() (string, error)
	Save(text string) error
}

// File is a Storage: the path of a file, which is replaced as a whole.
type File string

// Load returns the text of the file.
func (f File) Load() (string, error) {
	text, err := os.ReadFile(string(f))
	return string(text), err
}

// Save replaces the file.
func (f File) Save(text string) error {
	if err := os.WriteFile(string(f)+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(string(f)+".new", string(f))
}

// Gate decides whether an app may run, also while the service is down. Set its fields before the first call; its methods
// may be called from any goroutine.
type Gate struct {
	Verifier   // with a DeviceID, 8 to 128 printable ASCII characters made once, the gate takes a seat for the device
	BaseURL    string
	Storage    Storage
	DeviceName string            // for the buyer, in lists of devices
	ReleasedAt time.Time         // of this build, which is updates_ended with a license whose updates ended before
	Trial      bool              // whether Check without a key starts the trial of the device, or goes on with it
	Timeout    time.Duration     // for each request; 3 s by default
	Now        func() time.Time  // time.Now by default
	Transport  http.RoundTripper // http.DefaultTransport by default

	mutex sync.Mutex
}

// Check says whether the app may run. Verdict is "valid", "invalid" or "unavailable": the service gave no verdict, and
// neither did the receipt. Ask again later, and lock nobody out for good by it. Source is "online" or "receipt".
//
// Reason of "invalid" is, of the service unless this says otherwise:
//
//	unknown            no license of this product has the key, or it was revoked
//	malformed          the key cannot be one: it was mistyped
//	no_access          the license is known and over, or suspended; Entitlement says which
//	device_limit       all seats are taken: replace frees one
//	device_offline     the device to be replaced has an offline receipt, and keeps its seat
//	too_many_releases  seats of this license were released too often
//	expired            of the receipt: it is over, and the service must be reached once
//	clock_set_back     of the receipt: the clock is more than a day behind what it has shown before
//	trial_ended        the trial of this device is over
//	trial_not_offered  the product has no trial
//	updates_ended      this build came out after the updates of the license: an earlier one goes on; of either
type Check struct {
	Verdict, Source, Reason string
	Entitlement             *Entitlement
	Features                map[string]any // none unless it is valid
	DeviceLimit             int            // 0 for none, and unless it is valid
	OfflineUntil, NextCheck time.Time
	Trial                   *Trial // a trial that runs
	Receipt                 string // if unavailable, why the stored receipt does not count
	Err                     error  // if unavailable, why the service gave no verdict
}

// Trial is a trial that runs. DaysLeft is rounded up.
type Trial struct {
	EndsAt   time.Time
	DaysLeft int
}

// moment has the facts from which a verdict is reached. Receipt is "" for none, and lastSeen zero.
type moment struct {
	licenseKey, receipt string
	lastSeen, now       time.Time
}

// Check asks the service once, and the stored receipt if it gives no verdict. licenseKey "" is none; replace names the
// device, as lists of devices show it, that makes room if no seat is free, or is "".
func (g *Gate) Check(ctx context.Context, licenseKey, replace string) Check {
	if licenseKey == "" && g.Trial {
		return g.tryOut(ctx)
	}
	var found answer
	var err error
	if g.DeviceID == "" {
		found, err = g.verify(ctx, licenseKey)
	} else {
		found, err = g.activate(ctx, licenseKey, replace)
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	m := g.moment(licenseKey)
	switch {
	case err != nil:
		return g.unavailable(m, err)
	case found.reason == "":
		return g.valid(ctx, m, found)
	}
	// A receipt must not contradict the service later. A typing error says nothing about the license.
	if found.reason != "malformed" {
		g.drop(m)
	}
	return allowing(Check{Verdict: "invalid", Source: "online", Reason: found.reason, Entitlement: found.entitlement}, m.now)
}

// Accept verifies a receipt that the seller has handed out, and stores it if it is a valid offline receipt.
func (g *Gate) Accept(receipt string) ReceiptCheck {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	m := g.moment("")
	judged := g.VerifyReceipt(receipt, ReceiptOptions{Now: m.now, LastSeen: m.lastSeen})
	if judged.Valid && judged.Mode == "offline" {
		g.save(unfolded(receipt), latest(m.now, m.lastSeen))
	}
	return judged
}

// Release frees the seat of this device and drops the receipt, or returns a *ServiceError.
func (g *Gate) Release(ctx context.Context, licenseKey string) error {
	if g.DeviceID == "" {
		return errors.New("the gate has no device to release")
	}
	if err := g.deactivate(ctx, licenseKey); err != nil {
		return err
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.drop(g.moment(licenseKey))
	return nil
}

// valid goes by the clock of now: the service says so, and an instant that was seen before does not count.
func (g *Gate) valid(ctx context.Context, m moment, found answer) Check {
	held := g.judge(m.receipt, m, time.Time{})
	isOffline := held.Valid && held.Mode == "offline"
	// A receipt that does not cover this build may be one from before a renewal.
	isFresh := g.DeviceID == "" && held.Valid && same(*held.Entitlement, *found.entitlement) &&
		(isOffline || m.now.Before(held.RefreshAfter)) && held.Entitlement.Covers(g.ReleasedAt)
	fetched := found.receipt
	if g.DeviceID == "" && !isFresh {
		fetched = g.fetch(ctx, m.licenseKey)
	}
	another, shown := g.judge(fetched, m, time.Time{}), held
	if another.Valid {
		shown = another
	}
	receipt := m.receipt
	if another.Entitlement != nil && !isOffline {
		receipt, held = fetched, another
	}
	g.save(receipt, m.now)
	entitlement := *found.entitlement
	var own Entitlement
	if shown.Valid {
		own = *shown.Entitlement
	}
	entitlement.AccessEndsAt = cmp.Or(own.AccessEndsAt, entitlement.AccessEndsAt)
	entitlement.UpdatesUntil = cmp.Or(own.UpdatesUntil, entitlement.UpdatesUntil)
	if g.DeviceID != "" {
		own.DeviceLimit, own.Features = found.deviceLimit, found.features
	}
	entitlement.DeviceLimit = cmp.Or(own.DeviceLimit, entitlement.DeviceLimit)
	if own.Features != nil {
		entitlement.Features = own.Features
	}
	if !entitlement.Covers(g.ReleasedAt) {
		return ended("online", &entitlement, m.now)
	}
	return allowing(Check{Verdict: "valid", Source: "online", Entitlement: &entitlement, OfflineUntil: held.ExpiresAt}, m.now)
}

func (g *Gate) unavailable(m moment, err error) Check {
	judged := g.judge(m.receipt, m, m.lastSeen)
	if judged.Entitlement == nil {
		return allowing(Check{Verdict: "unavailable", Receipt: judged.Reason, Err: err}, m.now)
	}
	g.save(m.receipt, latest(m.now, m.lastSeen))
	if judged.Valid && !judged.Entitlement.Covers(g.ReleasedAt) {
		return ended("receipt", judged.Entitlement, m.now)
	}
	result := Check{Verdict: "valid", Source: "receipt", Entitlement: judged.Entitlement, OfflineUntil: judged.ExpiresAt}
	if !judged.Valid {
		result.Verdict, result.Reason = "invalid", judged.Reason
	}
	return allowing(result, m.now)
}

// drop forgets the stored receipt, unless it is one of another license or product.
func (g *Gate) drop(m moment) {
	switch g.judge(m.receipt, m, time.Time{}).Reason {
	case "none", "wrong_product", "wrong_key":
	default:
		g.save("", m.lastSeen)
	}
}

// judge finds the reason "none" for no receipt, and for one of a trial, which stays until a license has one.
func (g *Gate) judge(receipt string, m moment, lastSeen time.Time) ReceiptCheck {
	if receipt == "" || isOfTrial(receipt) {
		return ReceiptCheck{Reason: "none"}
	}
	return g.VerifyReceipt(receipt, ReceiptOptions{LicenseKey: &m.licenseKey, Now: m.now, LastSeen: lastSeen})
}

func (g *Gate) tryOut(ctx context.Context) Check {
	fetched, err := g.startTrial(ctx)
	g.mutex.Lock()
	defer g.mutex.Unlock()
	m := g.moment("")
	if started := g.judgeTrial(fetched, m.now, time.Time{}); started.Valid {
		g.save(fetched, m.now)
		return running("online", started, m.now, m.now)
	}
	own := g.judgeTrial(m.receipt, m.now, m.lastSeen)
	if code := codeOf(err); code == "trial_ended" || code == "trial_not_offered" {
		if own.Reason != "none" {
			g.save("", m.lastSeen)
		}
		return allowing(Check{Verdict: "invalid", Source: "online", Reason: code}, m.now)
	}
	if err == nil {
		err = errUnusable
	}
	if own.Entitlement == nil {
		return allowing(Check{Verdict: "unavailable", Receipt: own.Reason, Err: err}, m.now)
	}
	seen := latest(m.now, m.lastSeen)
	g.save(m.receipt, seen)
	if own.Valid {
		return running("receipt", own, m.now, seen)
	}
	reason := own.Reason
	if reason == "expired" {
		reason = "trial_ended"
	}
	return allowing(Check{Verdict: "invalid", Source: "receipt", Reason: reason, Entitlement: own.Entitlement}, m.now)
}

// judgeTrial finds the reason "none" for no receipt, and for one of a license.
func (g *Gate) judgeTrial(receipt string, now, lastSeen time.Time) ReceiptCheck {
	if !isOfTrial(receipt) {
		return ReceiptCheck{Reason: "none"}
	}
	return g.VerifyReceipt(receipt, ReceiptOptions{Trial: true, Now: now, LastSeen: lastSeen})
}

func running(source string, judged ReceiptCheck, now, latest time.Time) Check {
	left := (judged.ExpiresAt.Sub(latest) + day - 1) / day
	return allowing(Check{
		Verdict: "valid", Source: source, Entitlement: judged.Entitlement, OfflineUntil: judged.ExpiresAt,
		Trial: &Trial{judged.ExpiresAt, int(left)},
	}, now)
}

func ended(source string, entitlement *Entitlement, now time.Time) Check {
	return allowing(Check{Verdict: "invalid", Source: source, Reason: "updates_ended", Entitlement: entitlement}, now)
}

// allowing adds what the license allows now, which is nothing unless it is valid, and when to check again.
func allowing(result Check, now time.Time) Check {
	wait := time.Hour
	if result.Verdict == "valid" && result.Source == "online" {
		wait = day
	}
	result.NextCheck = now.Add(wait)
	if end := result.OfflineUntil; !end.IsZero() && end.Before(result.NextCheck) {
		result.NextCheck = end
	}
	if result.Entitlement == nil {
		return result
	}
	entitlement := *result.Entitlement
	if result.Verdict == "valid" {
		result.Features, result.DeviceLimit = entitlement.Features, entitlement.DeviceLimit
	} else {
		entitlement.Features, entitlement.DeviceLimit = nil, 0
	}
	result.Entitlement = &entitlement
	return result
}

// moment reads what is stored. What another program has written counts as nothing.
func (g *Gate) moment(licenseKey string) moment {
	m := moment{licenseKey: licenseKey, now: time.Now()}
	if g.Now != nil {
		m.now = g.Now()
	}
	text, err := g.Storage.Load()
	stored := objectIn([]byte(text))
	receipt, isText := stored["receipt"].(string)
	seen, isSeen := stored["lastSeen"].(string)
	lastSeen, badTime := time.Parse(timeFormat, seen)
	_, hasReceipt := stored["receipt"]
	_, hasSeen := stored["lastSeen"]
	isReceipt := hasReceipt && (isText || stored["receipt"] == nil)
	isInstant := hasSeen && (isSeen && badTime == nil || stored["lastSeen"] == nil)
	if err == nil && stored["version"] == 1.0 && isReceipt && isInstant {
		m.receipt, m.lastSeen = receipt, lastSeen
	}
	return m
}

func (g *Gate) save(receipt string, lastSeen time.Time) {
	stored := object{"version": 1, "receipt": nil, "lastSeen": nil}
	if receipt != "" {
		stored["receipt"] = receipt
	}
	if !lastSeen.IsZero() {
		stored["lastSeen"] = lastSeen.UTC().Format(timeFormat)
	}
	text, _ := json.Marshal(stored)
	_ = g.Storage.Save(string(text)) // an error costs offline days only
}

// same reports whether a receipt shows what the service says.
func same(one, other Entitlement) bool {
	return one.ID == other.ID && one.ProductID == other.ProductID && one.Status == other.Status &&
		one.TierID == other.TierID && one.TierName == other.TierName &&
		one.BillingInterval == other.BillingInterval && one.CurrentPeriodEnd == other.CurrentPeriodEnd
}
