// Reads a receipt from each line, in base64, and prints whether the program of the document accepts it,
// and for which device.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		receipt, _ := base64.StdEncoding.DecodeString(lines.Text())
		claims, err := claimsOf(string(receipt))
		entitlement, _ := claims["entitlement"].(map[string]any)
		device, _ := claims["device"].(string)
		if err == nil && entitlement["id"] == "ent_1" {
			fmt.Println(strings.TrimSpace("valid " + device))
		} else {
			fmt.Println("invalid")
		}
	}
}
