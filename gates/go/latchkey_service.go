package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	edition = "2026-07-18"
	maxBody = 256 << 10
)

// ServiceError is a refusal of the service, or an answer that cannot be used: a timeout, a portal, a proxy, a redirect,
// an answer that is cut off, too long or of another form. Code is its Error-Code, or "".
type ServiceError struct{ Message, Code string }

func (e *ServiceError) Error() string { return e.Message }

var errUnusable = &ServiceError{Message: "the answer is not one of Latchkey"}

// answer is a verdict of the service; valid if reason is "". Nobody has verified receipt yet. A seat sets the allowance.
type answer struct {
	reason      string
	entitlement *Entitlement
	receipt     string
	deviceLimit int
	features    map[string]any
}

type object = map[string]any

// verify asks whether a license is valid.
func (g *Gate) verify(ctx context.Context, licenseKey string) (answer, error) {
	found, err := g.post(ctx, "verify", g.asked(licenseKey))
	if codeOf(err) == "malformed_license_key" {
		return answer{reason: "malformed"}, nil
	}
	if err != nil {
		return answer{}, err
	}
	shown, isShown := found["entitlement"]
	valid, isVerdict := found["valid"].(bool)
	entitlement := entitlementOf(shown)
	switch {
	case isVerdict && !valid && !isShown:
		return answer{reason: "unknown"}, nil
	case !isVerdict || entitlement == nil:
		return answer{}, errUnusable
	case !valid:
		return answer{reason: "no_access", entitlement: entitlement}, nil
	}
	return answer{entitlement: entitlement}, nil
}

// activate asks for a seat, and for the reason if the license gives no access.
func (g *Gate) activate(ctx context.Context, licenseKey, replace string) (answer, error) {
	body := g.asked(licenseKey)
	for name, value := range map[string]string{"deviceId": g.DeviceID, "deviceName": g.DeviceName, "replace": replace} {
		if value != "" {
			body[name] = value
		}
	}
	data, err := g.data(ctx, "activate", body)
	switch code := codeOf(err); code {
	case "malformed_license_key":
		return answer{reason: "malformed"}, nil
	case "license_not_found":
		return answer{reason: "unknown"}, nil
	case "device_limit", "device_offline", "too_many_releases":
		return answer{reason: code}, nil
	case "no_access":
		if explained, unexplained := g.verify(ctx, licenseKey); unexplained == nil && explained.reason != "" {
			return explained, nil
		}
	}
	if err != nil {
		return answer{}, err
	}
	return seatIn(data)
}

func seatIn(data object) (answer, error) {
	features, areFeatures := featuresIn(data)
	limit, _ := deviceLimitOf(data["deviceLimit"])
	found := answer{entitlement: entitlementOf(data["entitlement"]), deviceLimit: limit, features: features}
	issued, hasIssued := data["receipt"]
	hasReceipt := hasIssued && issued == nil
	if !hasReceipt {
		found.receipt, hasReceipt = receiptIn(issued)
	}
	if !isSeat(data) || !areFeatures || found.entitlement == nil || !hasReceipt {
		return answer{}, errUnusable
	}
	return found, nil
}

// deactivate frees a seat.
func (g *Gate) deactivate(ctx context.Context, licenseKey string) error {
	body := g.asked(licenseKey)
	body["deviceId"] = g.DeviceID
	data, err := g.data(ctx, "deactivate", body)
	if err == nil && !isSeat(data) {
		return errUnusable
	}
	return err
}

// fetch returns a new receipt; "" if none can be had now.
func (g *Gate) fetch(ctx context.Context, licenseKey string) string {
	data, err := g.data(ctx, "receipt", g.asked(licenseKey))
	if err != nil {
		return ""
	}
	receipt, _ := receiptIn(data)
	return receipt
}

// startTrial starts the trial of the device, or goes on with it, and returns its receipt.
func (g *Gate) startTrial(ctx context.Context) (string, error) {
	data, err := g.data(ctx, "trial", object{"productId": g.ProductID, "deviceId": g.DeviceID})
	if err != nil {
		return "", err
	}
	receipt, isText := receiptIn(data["receipt"])
	if !isText {
		return "", errUnusable
	}
	return receipt, nil
}

func receiptIn(issued any) (string, bool) {
	members, _ := issued.(object)
	receipt, isText := members["receipt"].(string)
	return receipt, isText
}

func isSeat(data object) bool {
	_, isText := data["device"].(string)
	_, hasLimit := data["deviceLimit"]
	_, isLimit := deviceLimitOf(data["deviceLimit"])
	return isText && hasLimit && isLimit
}

func (g *Gate) asked(licenseKey string) object {
	return object{"licenseKey": g.sentKey(licenseKey), "productId": g.ProductID}
}

func (g *Gate) data(ctx context.Context, verb string, body object) (object, error) {
	found, err := g.post(ctx, verb, body)
	if err != nil {
		return nil, err
	}
	data, isObject := found["data"].(object)
	if found["success"] != true || !isObject {
		return nil, errUnusable
	}
	return data, nil
}

func (g *Gate) post(ctx context.Context, verb string, body object) (object, error) {
	timeout := g.Timeout
	if timeout == 0 {
		timeout = 3 * time.Second
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, &ServiceError{Message: err.Error()}
	}
	url := strings.TrimRight(g.BaseURL, "/") + "/api/licenses/" + verb
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return nil, &ServiceError{Message: err.Error()}
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("API-Version", edition)
	request.Header.Set("Content-Type", "application/json")
	// A redirect could lead a key elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Transport: g.Transport, Timeout: timeout, CheckRedirect: stay}
	response, err := client.Do(request)
	if err != nil {
		return nil, &ServiceError{Message: err.Error()}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, &ServiceError{Message: err.Error()}
	case len(content) > maxBody:
		return nil, errUnusable
	case response.StatusCode < 200 || response.StatusCode > 299:
		code := response.Header.Get("Error-Code")
		return nil, &ServiceError{Message: fmt.Sprintf("the service answered %s", response.Status), Code: code}
	}
	found := objectIn(content)
	if found == nil {
		return nil, errUnusable
	}
	return found, nil
}

func codeOf(err error) string {
	var refusal *ServiceError
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}
