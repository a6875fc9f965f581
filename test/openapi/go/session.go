// The sessions of a Go program with the clients that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"latchkey.example/session/clients/latchkey"
)

// demo is what `demo --json` prints.
type demo struct {
	Address, AdminAddress, AppKey, OperatorKey, EntitlementID, LicenseKey string
}

func main() {
	log.SetFlags(log.Lshortfile)
	var d demo
	check(json.Unmarshal([]byte(os.Getenv("DEMO")), &d))
	ctx := context.Background()
	anyone, err := latchkey.NewClientWithResponses(d.Address)
	check(err)
	merchant, err := latchkey.NewClientWithResponses(d.Address, latchkey.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+d.AppKey)
			return nil
		}))
	check(err)

	verified, err := anyone.VerifyLicenseWithResponse(ctx, nil, latchkey.LicenseVerificationRequest{LicenseKey: d.LicenseKey})
	check(err)
	license := verified.JSON200
	expect(license.Valid && license.Entitlement.Status == latchkey.EntitlementStatusActive)

	page, err := anyone.ListListingsWithResponse(ctx, &latchkey.ListListingsParams{
		Limit: value(5), Sort: value(latchkey.New), MinCommission: value(latchkey.MinCommission(20)), MinStorefronts: value(latchkey.MinStorefronts(1))})
	check(err)
	expect(len(page.JSON200.Data) == 5 && page.JSON200.Meta.Limit == 5)
	first, err := anyone.ListListingsWithResponse(ctx, &latchkey.ListListingsParams{})
	check(err)
	expect(first.JSON200.Meta.Limit == 24)

	read, err := merchant.GetEntitlementWithResponse(ctx, d.EntitlementID, nil)
	check(err)
	expect(!read.JSON200.Data.CancelAtPeriodEnd)

	intention := &latchkey.CancelEntitlementParams{IdempotencyKey: "go-cancel"}
	canceled, err := merchant.CancelEntitlementWithResponse(ctx, d.EntitlementID, intention)
	check(err)
	expect(canceled.JSON200.Data.CancelAtPeriodEnd && canceled.Headers200.IdempotentReplayed == nil)
	replayed, err := merchant.CancelEntitlementWithResponse(ctx, d.EntitlementID, intention)
	check(err)
	expect(string(replayed.Body) == string(canceled.Body) && *replayed.Headers200.IdempotentReplayed == "true")

	resumed, err := merchant.ResumeEntitlementWithResponse(ctx, d.EntitlementID,
		&latchkey.ResumeEntitlementParams{IdempotencyKey: "go-resume"})
	check(err)
	expect(!resumed.JSON200.Data.CancelAtPeriodEnd)

	unknown, err := merchant.GetEntitlementWithResponse(ctx, "ent_unknown", nil)
	check(err)
	expect(unknown.Headers404.ErrorCode == latchkey.ErrorCodeEntitlementNotFound && !bool(unknown.JSON404.Success))

	administer(ctx, d)
}

func value[T any](v T) *T { return &v }

func check(err error) {
	if err != nil {
		_ = log.Output(2, err.Error())
		os.Exit(1)
	}
}

func expect(holds bool) {
	if !holds {
		_ = log.Output(2, "does not hold")
		os.Exit(1)
	}
}
