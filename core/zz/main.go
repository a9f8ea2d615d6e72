package main

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano())
}

func main() {
	for _, n := range os.Args[1:] {
		text, _ := os.ReadFile("core/bound/testdata/random" + n + ".json")
		p, _, _ := model.Decode(text)
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			panic(err)
		}
		s := decide.Method.Defaults()
		s.Gap = 0.01
		begin := cpu()
		stop := false
		s.Stop = &stop
		var q solve.Progress
		for q = range decide.Method.Run(ev, s) {
			if cpu()-begin > 200*time.Second {
				stop = true
			}
		}
		took := cpu() - begin
		c, ok := q.Certificate.(certify.Certificate)
		if !ok {
			fmt.Println(n, "no certificate", q.Status)
			continue
		}
		b, _ := c.Encode()
		os.WriteFile("/tmp/cert/c"+n+".json", b, 0o644)
		begin = cpu()
		r := certify.Check(p, c, nil)
		check := cpu() - begin
		fmt.Printf("%s took %.1f boxes %d check %.2f (%.1f%%) bytes %d ok %v best %.6f target %.6f\n", n, took.Seconds(), q.Nodes, check.Seconds(), 100*check.Seconds()/took.Seconds(), len(b), r.OK, q.Best.Objective, c.Target)
	}
}
