// Drives the gate for the judge: reads a JSON object from each line, and prints one.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"latchkey.example/driver/gate"
)

type message struct {
	Call, Now, LastSeen, BaseURL, ProductID, Storage, Receipt, Replace string
	ReleasedAt                                                         time.Time
	LicenseKey, Stored                                                 *string
	DeviceID                                                           string
	Device                                                             struct{ ID, Name string }
	Keys                                                               struct{ Keys []gate.Key }
	Timeout                                                            int
	Trial                                                              bool
}

type memory struct {
	text  *string
	fails bool
}

func (m *memory) Load() (string, error) {
	if m.fails {
		return "", errors.New("no permission")
	}
	if m.text == nil {
		return "", nil
	}
	return *m.text, nil
}

func (m *memory) Save(text string) error {
	if m.fails {
		return errors.New("the disk is full")
	}
	m.text = &text
	return nil
}

const format = "2006-01-02T15:04:05.000Z07:00"

func judged(result gate.ReceiptCheck) map[string]any {
	if !result.Valid {
		return map[string]any{"verdict": "invalid", "reason": result.Reason, "entitlement": result.Entitlement}
	}
	return map[string]any{
		"verdict": "valid", "mode": result.Mode, "entitlement": result.Entitlement,
		"issuedAt":     result.IssuedAt.Format(format),
		"refreshAfter": result.RefreshAfter.Format(format),
		"expiresAt":    result.ExpiresAt.Format(format),
	}
}

func checked(result gate.Check) map[string]any {
	members := map[string]any{
		"verdict": result.Verdict, "reason": nil, "entitlement": result.Entitlement, "features": map[string]any{},
		"deviceLimit": nil, "nextCheck": result.NextCheck.Format(format),
	}
	if result.Reason != "" {
		members["reason"] = result.Reason
	}
	if result.Features != nil {
		members["features"] = result.Features
	}
	if result.DeviceLimit != 0 {
		members["deviceLimit"] = result.DeviceLimit
	}
	if result.Verdict == "unavailable" {
		members["receipt"] = result.Receipt
		return members
	}
	members["source"] = result.Source
	if result.Verdict == "valid" {
		members["offlineUntil"] = nil
		if !result.OfflineUntil.IsZero() {
			members["offlineUntil"] = result.OfflineUntil.Format(format)
		}
	}
	if trial := result.Trial; trial != nil {
		members["trial"] = map[string]any{"endsAt": trial.EndsAt.Format(format), "daysLeft": trial.DaysLeft}
	}
	return members
}

func released(err error) map[string]any {
	if err == nil {
		return map[string]any{"released": true}
	}
	result := map[string]any{"released": false, "code": nil}
	if refusal := (*gate.ServiceError)(nil); errors.As(err, &refusal) && refusal.Code != "" {
		result["code"] = refusal.Code
	}
	return result
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 8<<20)
	var now time.Time
	var own *gate.Gate
	store := &memory{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			panic(err)
		}
		if m.Now != "" {
			now, _ = time.Parse(format, m.Now)
		}
		answer := map[string]any{}
		switch m.Call {
		case "hello":
			answer["lacks"] = []string{"nfc"}
		case "open":
			store.text, store.fails = m.Stored, m.Storage == "fails"
			verifier := gate.Verifier{ProductID: m.ProductID, Keys: m.Keys.Keys, DeviceID: m.Device.ID}
			own = &gate.Gate{Verifier: verifier, BaseURL: m.BaseURL, Storage: store, DeviceName: m.Device.Name, Trial: m.Trial, ReleasedAt: m.ReleasedAt,
				Timeout: time.Duration(m.Timeout) * time.Millisecond, Now: func() time.Time { return now }}
		case "verifyReceipt":
			lastSeen, _ := time.Parse(format, m.LastSeen)
			verifier := &gate.Verifier{ProductID: m.ProductID, Keys: m.Keys.Keys, DeviceID: m.DeviceID}
			answer["result"] = judged(verifier.VerifyReceipt(m.Receipt, gate.ReceiptOptions{
				LicenseKey: m.LicenseKey, Trial: m.Trial, Now: now, LastSeen: lastSeen,
			}))
		case "check":
			key := ""
			if m.LicenseKey != nil {
				key = *m.LicenseKey
			}
			answer["result"] = checked(own.Check(context.Background(), key, m.Replace))
		case "accept":
			answer["result"] = judged(own.Accept(m.Receipt))
		case "release":
			answer["result"] = released(own.Release(context.Background(), *m.LicenseKey))
		}
		if m.Call == "check" || m.Call == "accept" || m.Call == "release" {
			answer["stored"] = store.text
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}
