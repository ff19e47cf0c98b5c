package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/cmd/bench"
)

// servePort is the port of the bench if none is given.
const servePort = 8642

// serveMemory is the memory, in bytes, at which a bench collects garbage sooner, so that several
// large questions at once leave the machine enough.
const serveMemory = 600 << 20

// serveGarbage is how much a bench lets garbage grow below that, in percent of what is in use: a
// page wants its answers soon.
const serveGarbage = 400

// serveFlags are the flags of the command serve.
type serveFlags struct {
	host    string
	port    int
	workers int
	export  string // the folder for the page, which is then not served
}

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	c := &cobra.Command{
		Use: "serve", Short: "A bench in the browser: paint a target, and see J and B move",
		Long: `serve answers at http://127.0.0.1:` + strconv.Itoa(servePort) +
			` until Ctrl-C, with a page on which you
paint a target and see the exact answers at once.

The page is part of the program, and nothing is loaded from the network. Only
this machine can reach it, unless --host is given: the printed address then has
a token, which every request needs, and selectors that read files or start
programs are refused. --export DIR writes the page to a folder for any server of
files; it then computes in the browser, more slowly.

See breadboard help page.`,
		Example: `  breadboard serve
  breadboard serve --export site
  curl 'http://127.0.0.1:8642/api/solve?toy=barrier&T=1000'
  curl -so law.svg 'http://127.0.0.1:8642/api/law.svg?toy=easy&T=100'`,
		Args: subcommandsOnly, RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("export") {
				return a.exportPage(c, flags.export)
			}
			return a.serve(c.Context(), flags)
		},
	}
	f := c.Flags()
	f.StringVar(&flags.host, "host", "127.0.0.1", "")
	f.IntVar(&flags.port, "port", servePort, "")
	f.StringVar(&flags.export, "export", "", "")
	addWorkers(f, &flags.workers)
	return annotate(c, unrecorded)
}

// serve answers requests until the run is interrupted, which is how it is meant to end.
func (a *app) serve(ctx context.Context, flags serveFlags) error {
	switch {
	case flags.port < 0 || flags.port > 65535:
		return badInput(errs.New("--port %d; give a number from 1 to 65535, or 0 for any that is free", flags.port))
	case flags.workers < 0:
		return badInput(errs.New("--workers %d; give a number of computations, or 0 for one on each core",
			flags.workers))
	case a.output.dir != "":
		return badInput(errs.New(
			"--out is for commands that end with results; the page has downloads, so leave it out",
		))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(flags.host, strconv.Itoa(flags.port)))
	if err != nil {
		return ioFailure(cannotListen(flags, err))
	}
	token := ""
	if !bench.Loopback(listener.Addr()) {
		token = rand.Text()
	}
	addresses := addressesOf(flags.host, listener.Addr(), token)
	for _, address := range addresses {
		if _, err := fmt.Fprintln(a.stdout, address); err != nil {
			listener.Close()
			return ioFailure(fmt.Errorf("writing to standard output: %w", err))
		}
	}
	a.note("breadboard serves the bench at this address; Ctrl-C ends it")
	if a.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serveMemory)
		defer debug.SetGCPercent(debug.SetGCPercent(serveGarbage))
	}
	server := bench.New(bench.Options{
		Version: version(),
		Token:   token,
		Workers: flags.workers,
		Studies: a.studies(),
		Log:     a.stderr,
	})
	if err := server.Serve(ctx, listener); err != nil {
		return ioFailure(err)
	}
	a.note("the bench has ended")
	return nil
}

// cannotListen says why the bench cannot be reached at an address, and what to do.
func cannotListen(flags serveFlags, err error) error {
	cure := "give an address of this machine with --host"
	switch {
	case errors.Is(err, syscall.EADDRINUSE), strings.Contains(err.Error(), "Only one usage of each socket"):
		cure = "another program, perhaps another bench, has the port; give another one with --port, or " +
			"--port 0 for any that is free"
	case errors.Is(err, syscall.EACCES):
		cure = "the system does not allow this port; give one above 1023 with --port"
	}
	return errs.New("nothing can be served at %s: %w; %s",
		net.JoinHostPort(flags.host, strconv.Itoa(flags.port)), err, cure)
}

// mostAddresses is the largest number of addresses that are printed.
const mostAddresses = 4

// addressesOf returns the addresses of the page: that of the host, or where this stands for all
// addresses of the machine those by which others reach it.
func addressesOf(host string, at net.Addr, token string) (list []string) {
	tcp := at.(*net.TCPAddr)
	if !tcp.IP.IsUnspecified() {
		if host == "" {
			host = tcp.IP.String()
		}
		return []string{bench.URL(host, tcp.Port, token)}
	}
	interfaces, _ := net.InterfaceAddrs() // without them the name is left
	for _, each := range interfaces {
		ip, is := each.(*net.IPNet)
		if is && ip.IP.IsGlobalUnicast() && len(list) < mostAddresses {
			list = append(list, bench.URL(ip.IP.String(), tcp.Port, token))
		}
	}
	if name, err := os.Hostname(); err == nil && len(list) == 0 {
		list = append(list, bench.URL(name, tcp.Port, token))
	}
	if len(list) == 0 {
		list = append(list, bench.URL("127.0.0.1", tcp.Port, token))
	}
	return list
}
