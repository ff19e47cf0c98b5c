package selector

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Short returns a selector as it stands in tables and sentences for people: a long one by its beginning and a hash of the whole, so that two
// that begin alike differ. It is not parsed back.
func Short(text string) string {
	if len(text) <= maxShown {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	hash := "..." + hex.EncodeToString(sum[:4])
	return strings.ToValidUTF8(text[:maxShown-len(hash)], "") + hash
}
