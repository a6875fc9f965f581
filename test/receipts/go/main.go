// Reads a typ, the id of an entitlement and a receipt in base64 from each line, and prints whether the program of the
// document accepts it as one of that entitlement, and for which device.
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
		parts := strings.Split(lines.Text(), " ")
		receipt, _ := base64.StdEncoding.DecodeString(parts[2])
		claims, err := claimsOf(string(receipt), parts[0])
		entitlement, _ := claims["entitlement"].(map[string]any)
		device, _ := claims["device"].(string)
		if err == nil && entitlement["id"] == parts[1] {
			fmt.Println(strings.TrimSpace("valid " + device))
		} else {
			fmt.Println("invalid")
		}
	}
}
