// Command gonum prints draws of Gonum's samplers, one a line, until it is killed: gonum WHAT SEED.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
)

func main() {
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	draw, known := samplers[os.Args[1]]
	if err != nil || !known {
		log.Fatal("usage: gonum WHAT SEED")
	}
	src := rand.NewPCG(seed, 1)
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(out, "state")
	for {
		if _, err := fmt.Fprintln(out, draw(src)); err != nil {
			return
		}
	}
}

// samplers has what can be drawn, by name.
var samplers = map[string]func(rand.Source) any{
	"burn-in":    func(src rand.Source) any { return burnt(src, 1000) },
	"discard":    func(src rand.Source) any { return discarded(src, 1000) },
	"undirected": func(src rand.Source) any { return undirected(src) },
	"directed":   func(src rand.Source) any { return directed(src) },
}
