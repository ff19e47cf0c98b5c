package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/toys"
)

// maxDistributions is the largest T: at a fifth of a microsecond a step, two days.
const maxDistributions = 1_000_000_000_000

// addSelection adds the selector flags that all studies share.
func addSelection(c *cobra.Command, s *experiments.Selection) {
	flags := c.Flags()
	flags.StringSliceVar(&s.Toys, "toy", experiments.PaperToys(), "targets: "+strings.Join(toys.Names(), ", "))
	flags.VarP((*lengths)(&s.Distributions), "distributions", "T", "numbers of distributions, both ends included (default "+lengthsText(experiments.PaperDistributions())+")")
	flags.StringVar(&s.Schedule, "schedule", "linear", "where on the path they sit: "+strings.Join(chains.ScheduleSelectors(), ", "))
	flags.StringVar(&s.Path, "path", "geometric", "the path: "+strings.Join(chains.PathSelectors(), ", "))
	flags.StringVar(&s.Kernel, "kernel", "metropolis", "the Markov kernel: "+strings.Join(chains.KernelSelectors(), ", "))
	complete(c, "toy", toys.Names())
	complete(c, "schedule", chains.ScheduleSelectors())
	complete(c, "path", chains.PathSelectors())
	complete(c, "kernel", chains.KernelSelectors())
}

// lengths is a flag that takes numbers of distributions separated by commas.
type lengths []int

func (l *lengths) String() string { return lengthsText(*l) }
func (l *lengths) Type() string   { return "T,..." }

func lengthsText(l []int) string {
	parts := make([]string, len(l))
	for i, T := range l {
		parts[i] = strconv.Itoa(T)
	}
	return strings.Join(parts, ",")
}

func (l *lengths) Set(s string) error {
	*l = nil
	for part := range strings.SplitSeq(s, ",") {
		v, err := chains.ParseNumber(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		if v != float64(int64(v)) || v < 2 || v > maxDistributions {
			return fmt.Errorf("%s distributions; T is a whole number from 2 to 1e12", part)
		}
		*l = append(*l, int(v))
	}
	return nil
}
