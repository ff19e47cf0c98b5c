package draws

import (
	"math/rand/v2"
	"testing"
)

// TestPlaces compares the places of hashes with those in a map, where hashes come again, are zero,
// and share their last bits.
func TestPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	places := places{entries: make([]uint64, 2)}
	want := map[uint64]int32{}
	for at := int32(1); at < 20000; at++ {
		hash := random.Uint64N(6000) << (16 * random.IntN(4))
		if _, known := want[hash]; !known {
			want[hash] = at
		}
		if got := places.firstPlace(hash, at); got != want[hash] {
			t.Fatalf("hash %d first came at %d, want %d", hash, got, want[hash])
		}
	}
}
