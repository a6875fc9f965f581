import java.io.*;
import java.nio.file.*;
import java.util.Base64;

/** Reads a receipt from each line, in base64, and prints whether the program of the document accepts it, and for which device. */
final class Main {
    public static void main(String[] arguments) throws IOException {
        String keys = Files.readString(Path.of("keys.json"));
        for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            String receipt = new String(Base64.getDecoder().decode(line));
            System.out.println(verdictOn(receipt, keys));
        }
    }

    static String verdictOn(String receipt, String keys) {
        try {
            String claims = Receipts.claimsOf(receipt, keys), device = Receipts.member(claims, "device");
            if (!Receipts.member(claims, "id").equals("ent_1")) return "invalid";
            return device.startsWith("dev_") ? "valid " + device : "valid";
        } catch (Exception fault) {
            return "invalid";
        }
    }
}
