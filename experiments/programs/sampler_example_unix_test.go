//go:build unix

package programs_test

import (
	"context"
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/draws"
	"breadboard/experiments/programs"
)

// A program, here a shell script, that has two forward chains for every seed and no reverse ones.
func ExamplePrograms_StartSampler() {
	const script = `echo '{"sampler": "a script"}'
		read request; echo '{"log_w": [0.25, "-Inf"], "x_last": [3, [0, 1]], "id": 1}'
		read request; echo '{"unsupported": true, "id": 2}'
		read request`
	held := programs.NewPrograms(context.Background(), programs.BatchDeadline)
	defer held.Close()
	sampler, err := held.StartSampler(
		[]string{"sh", "-c", script},
		draws.Space{States: 4, Sides: []int{2, 2}, Distributions: 10},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := sampler.Ask(context.Background(), chains.Forward, 2, 123)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: log weights %v, to %v\n", sampler.Name(), batch.LogW, batch.XLast)
	_, err = sampler.Ask(context.Background(), chains.Reverse, 2, 124)
	fmt.Println("no reverse chains:", errors.Is(err, programs.ErrUnsupported))
	// Output:
	// a script: log weights [0.25 -Inf], to [3 1]
	// no reverse chains: true
}
