package main

import (
	"context"
	"io"
	"testing"
)

func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		runWith(context.Background(), []string{"version"}, io.Discard, io.Discard, &leftovers{})
	}
}
