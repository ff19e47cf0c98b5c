package files_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
)

// The chains that another program has sent, and what is wrong with one of them.
func ExampleNewStream() {
	sent := `# 4 chains
log_w, x_first, x_last
-0.52, 3, "(0, 4)"
-inf,  0, "(6, 6)"
 1.25, 8, "(2, 0)"
 0.75, 9, "(2, 7)"
`
	space := draws.Space{States: 49, Sides: []int{7, 7}, Distributions: 100}
	ctx := context.Background()
	source, err := files.NewStream(ctx, "stdin", strings.NewReader(sent), files.Options{Space: space})
	for err == nil {
		var b *draws.Batch
		b, err = source.Next(ctx, 3)
		if err == nil {
			fmt.Println(b.First, b.LogW, b.XFirst, b.XLast)
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	// Output:
	// 0 [-0.52 -Inf 1.25] [3 0 8] [4 48 14]
	// stdin, line 6 (row 4), column x_last: found the coordinate 7 on axis 1; write a coordinate from 0 to 6 there
}

// What NumPy has written: a structured array names its columns. One of texts is left out.
func ExampleOpen() {
	space := draws.Space{States: 49, Sides: []int{7, 7}, Distributions: 3}
	ctx := context.Background()
	r, err := files.Open(ctx, "testdata/aligned.npy", files.Options{Space: space, Roles: files.Roles{"note": "none"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	b, err := r.Next(ctx, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.LogW, b.XLast)
	// Output:
	// [-2 -1.75 -1.5 -Inf] [0 11 22 33]
}

// Values that are rounded are not to be called wrong for that.
func ExampleReader_Precision() {
	ctx := context.Background()
	r, err := files.NewStream(ctx, "stdin", strings.NewReader("log_w\n-1.234567\n120.500000\n"), files.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := r.Next(ctx, 2); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v: %.1e\n", r.Precision(), r.Precision().Rounding(-1.234567))
	// Output:
	// {Decimals:6 Significant:9 Bits:0}: 5.0e-07
}
