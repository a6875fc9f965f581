package main

import (
	"context"
	"net/http"
	"time"

	"latchkey.example/session/clients/administration"
)

// administer is the session of an operator.
func administer(ctx context.Context, d demo) {
	operator, err := administration.NewClientWithResponses(d.AdminAddress, administration.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+d.OperatorKey)
			return nil
		}))
	check(err)

	reference := "go-1"
	terms := administration.GrantRequest{ProductId: "sketchpad", TierId: "pro", TierName: "Pro",
		BillingInterval: administration.BillingIntervalMonth, Reference: &reference}
	granted, err := operator.PutEntitlementWithResponse(ctx, "ent_go", nil, terms)
	check(err)
	expect(granted.JSON201.Data.Entitlement.Status == administration.EntitlementStatusActive)
	repeated, err := operator.PutEntitlementWithResponse(ctx, "ent_go", nil, terms)
	check(err)
	expect(repeated.JSON200.Data.LicenseKey == nil)

	found, err := operator.FindByLicenseKeyWithResponse(ctx, nil, administration.LicenseSearch{LicenseKey: d.LicenseKey})
	check(err)
	expect(found.JSON200.Data.Id == d.EntitlementID)

	product, limit := "sketchpad", 5
	page, err := operator.ListEntitlementsWithResponse(ctx, &administration.ListEntitlementsParams{
		Product: &product, Reference: &reference, Limit: &limit})
	check(err)
	expect(len(page.JSON200.Data) == 1 && page.JSON200.Data[0].Id == "ent_go" && page.JSON200.Meta.Next == nil)

	end := time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)
	unknown, err := operator.RenewEntitlementWithResponse(ctx, "ent_unknown", nil,
		administration.RenewalRequest{CurrentPeriodEnd: end})
	check(err)
	expect(unknown.Headers404.ErrorCode == administration.ErrorCodeEntitlementNotFound && !bool(unknown.JSON404.Success))
}
