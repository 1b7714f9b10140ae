package dev.warpline.policy;

/** Which of the requests that wait at a DRAM channel goes on. There is one for each channel. */
@Named(value = "DRAM scheduler", about = "which waiting request of a DRAM channel goes on")
public interface DramScheduler extends Policy {
  /** No request. */
  int NONE = -1;

  /** Requests that wait, the oldest first. */
  interface Requests {
    /** How many there are. */
    int count();

    /** Whether the command that a request needs next may go now. */
    boolean ready(int request);

    /** Whether the row that a request needs is open. */
    boolean hits(int request);
  }

  /**
   * The request whose next command goes now.
   *
   * @return one that is ready, or {@link #NONE}
   */
  int choose(Requests waiting);
}
